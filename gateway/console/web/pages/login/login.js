import './login.css'
import { Brand } from '../../components/brand.js'
import { Icon } from '../../components/icon.js'
import { html } from '../../html.js'
import { usePoll } from '../../lib/poll.js'
import { findUser } from '../../lib/sign-in.js'
import { SignIn } from './sign-in.js'

/** The page before all others, for who has not signed in. */
export function Login() {
  return html`<main class="door" id="main"><div><${Brand} /><h1>Which key?</h1><${SignIn} /></div></main>`
}

/** What is shown while the gateway does not say who the user is. */
export function Away() {
  usePoll(findUser, 2)
  return html`<main class="door" id="main">
    <div>
      <${Brand} />
      <h1>steno does not answer.</h1>
      <p class="away">
        It may be starting again, which takes a few seconds. This page tries every 2 s. On the machine, <span class="mono label">systemctl status steno</span>
        tells more.
      </p>
      <button type="button" class="button" onClick=${findUser}><${Icon} name="again" />Try now</button>
    </div>
  </main>`
}
