// Add-ons of a server beside those that the console knows by name.

/** The add-ons that the description of the interface marks, of live sessions. */
export const addonsIn = (description) =>
  ['realtime_processing', 'post_processing'].flatMap((place) => {
    const named = place === 'realtime_processing' ? 'RealtimeProcessingInput' : 'PostProcessingInput'
    const fields = Object.entries(description.components.schemas[named]?.properties ?? {})
    return fields.filter(([, field]) => field['x-addon']).map(([name, field]) => ({ name, place, doc: field.description }))
  })
