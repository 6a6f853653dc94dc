import './styles/index.css'
import { render } from 'preact'
import { html } from './html.js'
import { App } from './app.js'

render(html`<${App} />`, document.body)
