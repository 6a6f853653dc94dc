import { api, holdRequests, signedOut } from './api.js'
import { cell } from './cell.js'

/**
 * Who uses the console: undefined until it is known, null: nobody, else { account, scopes, expires_at }.
 */
export const user = cell(undefined)
/** Whether the gateway answered the last question for the user. */
export const away = cell(false)

/** Asks the gateway who the user is. */
export async function findUser() {
  try {
    user.set(await api('console/login'))
    away.set(false)
    signedOut.set(false)
  } catch {
    away.set(true)
  }
}

/** Exchanges a key for a cookie. Errors: Problem. */
export async function signIn(key) {
  const who = await api('console/login', { method: 'POST', headers: { authorization: 'Bearer ' + key }, quiet: true })
  signedOut.set(false)
  user.set(who)
}

/** Ends the sign-in, also for whoever may have copied the cookie. Errors: Problem; nobody is the user then, either. */
export async function signOut() {
  const release = holdRequests()
  try {
    await api('console/login', { method: 'DELETE', quiet: true })
  } finally {
    user.set(null)
    release()
  }
}

/** Whether the user's key allows something: "live", "jobs", "read", "admin". */
export const may = (scope) => user.get()?.scopes.includes(scope) ?? false
