import './records.css'
import { html } from '../../html.js'
import { RecordList } from './list.js'
import { Record } from './record.js'

/** The page of #/records and what is below it; rest holds the parts of the address after that. */
export function Records({ rest, query }) {
  return rest.length > 0 ? html`<${Record} key=${rest[0]} id=${rest[0]} query=${query} />` : html`<${RecordList} query=${query} />`
}
