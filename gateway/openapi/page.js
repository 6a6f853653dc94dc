// The page works without this: it adds the choice of a language, copying, search, and the address the page came from.
'use strict'
const root = document.documentElement
const all = (selector, of = document) => [...of.querySelectorAll(selector)]
const remember = (lang) => { try { if (lang) localStorage.setItem('steno-docs-lang', lang); else return localStorage.getItem('steno-docs-lang') } catch { return null } }

// Samples name a local gateway; here they name this one.
const here = new URL('.', location.href).href.replace(/\/$/, '')
if (location.protocol.startsWith('http')) {
  for (const code of all('pre code')) {
    if (code.textContent.includes('127.0.0.1:8080')) {
      code.textContent = code.textContent.replaceAll('http://127.0.0.1:8080', here).replaceAll('ws://127.0.0.1:8080', here.replace(/^http/, 'ws'))
    }
  }
}

// One language for all samples.
root.classList.add('scripted')
const choose = (lang) => {
  root.dataset.lang = lang
  for (const button of all('[data-choose]')) button.setAttribute('aria-pressed', String(button.dataset.choose === lang))
}
for (const tabs of all('.tabs')) {
  tabs.hidden = false
  tabs.addEventListener('click', (event) => {
    const button = event.target.closest('[data-choose]')
    if (!button) return
    const before = button.getBoundingClientRect().top
    choose(button.dataset.choose)
    scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' }) // what is read stays where it is
    remember(button.dataset.choose)
  })
}
choose(['sh', 'js', 'py'].includes(remember()) ? remember() : 'sh')

// Copying. Pages without TLS have no clipboard but the selection's.
const copy = async (text) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('not copied')
}
for (const button of all('.copy')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const said = await copy(button.parentElement.querySelector('pre').textContent).then(() => 'Copied', () => 'Select it by hand')
    button.textContent = said
    setTimeout(() => { button.textContent = 'Copy' }, 1600)
  })
}

// Search: headings, fields, close codes, and the text of the sections last.
const find = document.getElementById('find'), found = document.getElementById('found'), count = document.getElementById('count')
const list = found.querySelector('ul')
find.closest('.find').hidden = false
let places = null
const index = () => {
  if (places) return places
  places = []
  let made = 0
  for (const section of all('main section[id]')) {
    const heading = section.querySelector('h2, h3, h4')
    const title = heading.textContent.trim()
    const address = section.querySelector(':scope > .text > .address code')
    const own = [...section.children].filter((child) => child.tagName !== 'SECTION').map((child) => child.textContent).join(' ')
    places.push({ title: address ? address.textContent + ': ' + title : title, where: section.id.startsWith('schema-') ? 'Type' : section.id.startsWith('message-') ? 'Message' : '', at: section, text: own.toLowerCase(), weight: 0 })
    for (const term of all('.field > dt', section)) {
      if (term.closest('section') !== section) continue
      const place = term.parentElement
      if (!place.id) place.id = 'field-' + ++made
      places.push({ title: term.querySelector('code').textContent, where: title, at: place, text: '', weight: section.id.startsWith('schema-') ? 2 : 1 })
    }
  }
  return places
}
const rank = (place, words) => {
  const title = place.title.toLowerCase()
  const within = title + ' ' + place.where.toLowerCase()
  if (words.every((w) => title.includes(w))) return (title === words.join(' ') ? 0 : title.startsWith(words[0]) ? 3 : 6) + place.weight
  if (words.every((w) => within.includes(w))) return 9 + place.weight
  return words.every((w) => (within + place.text).includes(w)) ? 12 + place.weight : Infinity
}
const close = () => { found.hidden = true }
const search = () => {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return close()
  const hits = index().map((place) => ({ place, rank: rank(place, words) })).filter((hit) => hit.rank < Infinity).sort((a, b) => a.rank - b.rank)
  list.replaceChildren(...hits.slice(0, 20).map(({ place }) => {
    const item = document.createElement('li'), link = document.createElement('a'), where = document.createElement('span')
    link.href = '#' + place.at.id
    link.append(place.title)
    where.textContent = place.where
    if (place.where) link.append(where)
    link.addEventListener('click', () => { reveal(place.at); close() })
    item.append(link)
    return item
  }))
  count.textContent = hits.length === 0 ? 'Nothing here is called that.' : hits.length === 1 ? '1 place' : hits.length > 20 ? '20 of ' + hits.length + ' places' : hits.length + ' places'
  found.hidden = false
}
const reveal = (element) => {
  for (let e = element; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true
  element.scrollIntoView()
}
find.addEventListener('input', search)
find.addEventListener('focus', search)
find.closest('.find').addEventListener('keydown', (event) => {
  const links = all('a', list), at = links.indexOf(document.activeElement)
  if (event.key === 'Escape') { close(); find.value = ''; find.blur() }
  if (event.key === 'ArrowDown' && links.length) { event.preventDefault(); links[Math.min(at + 1, links.length - 1)].focus() }
  if (event.key === 'ArrowUp' && at >= 0) { event.preventDefault(); (links[at - 1] || find).focus() }
  if (event.key === 'Enter' && event.target === find && links.length) links[0].click()
})
find.closest('.find').addEventListener('focusout', (event) => { if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) close() })
document.addEventListener('click', (event) => { if (!event.target.closest('.find')) close() })
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.target.closest('input, textarea')) { event.preventDefault(); find.focus() }
})

// The contents follow the text; on small screens they begin closed.
const contents = document.querySelector('.contents')
const narrow = matchMedia('(max-width: 720px)')
const fold = () => { contents.firstElementChild.open = !narrow.matches }
narrow.addEventListener('change', fold)
fold()
const links = new Map(all('.contents a').map((link) => [link.hash.slice(1), link]))
let current = null
const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting || !links.has(target.id)) continue
    if (current) current.removeAttribute('aria-current')
    current = links.get(target.id)
    current.setAttribute('aria-current', 'true')
    if (!narrow.matches) {
      const box = current.getBoundingClientRect(), frame = contents.getBoundingClientRect()
      if (box.top < frame.top || box.bottom > frame.bottom) contents.scrollTop += box.top - frame.top - frame.height / 2
    }
  }
}, { rootMargin: '-68px 0px -75% 0px' })
for (const section of all('main section[id], #schemas')) watch.observe(section)
