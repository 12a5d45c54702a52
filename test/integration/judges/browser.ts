import { setTimeout } from 'node:timers/promises'
import { launch, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'

/* A real browser, spoken to in its DevTools protocol: pages are opened one after the other in one tab. */

const chromium = server('chromium')

export const browserIsAbsent = 'absent' in chromium

/** What the browser answers to a call, or tells by itself. */
interface Said {
  readonly id?: number
  readonly method?: string
  // biome-ignore lint/suspicious/noExplicitAny: of any method of the protocol
  readonly params?: any
  // biome-ignore lint/suspicious/noExplicitAny: of any method of the protocol
  readonly result?: any
}

export const startBrowser = async () => {
  const { folder } = useFolder()
  const program = 'address' in chromium ? chromium.address : ''
  const started = launch(program, [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-port=0',
    `--user-data-dir=${folder}`,
    'about:blank',
  ])
  const [, port] = await started.says(/DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/)
  const tabs = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    type: string
    webSocketDebuggerUrl: string
  }[]
  const tab = tabs.find(({ type }) => type === 'page')
  const socket = new WebSocket(tab?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })

  let calls = 0
  const told: Said[] = []
  socket.onmessage = ({ data }) => told.push(JSON.parse(data))
  const heard = async (wanted: (said: Said) => boolean): Promise<Said> => {
    for (;;) {
      const said = told.find(wanted)
      if (said) return said
      await setTimeout(20)
    }
  }
  const call = async (method: string, params: object = {}) => {
    const id = ++calls
    socket.send(JSON.stringify({ id, method, params }))
    return (await heard((said) => said.id === id)).result
  }
  await call('Page.enable')
  await call('Network.enable')
  await call('Network.setCacheDisabled', { cacheDisabled: true })

  return {
    /** Opens a page, waits until all of it is loaded, and gives what the expression says in it, with the status of each address. */
    open: async (url: string, expression: string) => {
      told.length = 0
      await call('Page.navigate', { url })
      await heard(({ method }) => method === 'Page.loadEventFired')
      const { result } = await call('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: true,
      })
      const statuses = told
        .filter(({ method }) => method === 'Network.responseReceived')
        .map(({ params }) => [params.response.url, params.response.status] as const)
      return { value: result.value, statuses }
    },
  }
}
