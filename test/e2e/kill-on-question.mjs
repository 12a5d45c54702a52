/* Imported before all else: a test's stand-in for a question that crashes whoever answers it. */
const { stringify } = JSON
JSON.stringify = (...given) => {
  const text = stringify(...given)
  if (text?.includes('nothing is known of main/kills')) process.kill(process.pid, 'SIGKILL')
  return text
}
