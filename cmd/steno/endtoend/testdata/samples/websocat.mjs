#!/usr/bin/env node
// As much of websocat as the samples use, for machines that do not have it: each line of standard input is a text message, each
// message is printed as a line, and with -n the end of the input leaves the socket open.
import { createInterface } from 'node:readline'
import WebSocket from 'ws'

const [flag, url] = process.argv.slice(2)
if (flag !== '-n' || !url) throw new Error('usage: websocat -n URL')
const socket = new WebSocket(url)
socket.on('message', (text) => process.stdout.write(text + '\n'))
socket.on('error', (error) => { console.error(error.message); process.exitCode = 1 })
socket.on('open', () => createInterface({ input: process.stdin }).on('line', (line) => socket.send(line)))
