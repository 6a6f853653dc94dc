// Runs before anything is painted, so that a chosen theme does not flash. See lib/theme.js.
try {
  const theme = localStorage.getItem('steno.theme')
  if (theme === '"light"' || theme === '"dark"') document.documentElement.dataset.theme = theme.slice(1, -1)
} catch {} // storage may be refused; then the system's theme is taken
