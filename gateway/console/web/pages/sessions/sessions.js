import './sessions.css'
import { html } from '../../html.js'
import { Board } from './board.js'
import { Session } from './session.js'

/** The page of #/sessions, and of one that is followed: #/sessions/ID. */
export function Sessions({ rest }) {
  return rest.length > 0 ? html`<${Session} key=${rest[0]} id=${rest[0]} />` : html`<${Board} />`
}
