const headers = { 'x-service-key': process.env.KEY }
const events = await fetch(`http://127.0.0.1:8080/v2/live/${process.env.ID}/events`, { headers })
for await (const text of events.body.pipeThrough(new TextDecoderStream())) {
  process.stdout.write(text)
}
