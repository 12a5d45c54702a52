/* Imported before all else: a test's stand-in for a message that crashes whoever handles it. Others may quote it unharmed. */
const { parse } = JSON
const kills = /^\{"store":"main","path":"kills"/
JSON.parse = (text, ...more) => {
  if (typeof text === 'string' && kills.test(text)) process.kill(process.pid, 'SIGKILL')
  return parse(text, ...more)
}
