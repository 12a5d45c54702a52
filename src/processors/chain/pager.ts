/** Collects messages, and sends them in pages, one page after the other. */
export interface Pager<A> {
  /** Waits if a page is full. Throws if it cannot be sent. */
  add(one: A): Promise<void>
  /** Sends what is left. */
  flush(): Promise<void>
}

export const pager = <A>(size: number, send: (page: readonly A[]) => Promise<unknown>): Pager<A> => {
  let page: A[] = []
  let sending: Promise<unknown> = Promise.resolve()
  const flush = async () => {
    if (page.length > 0) {
      const full = page
      page = []
      sending = sending.then(() => send(full))
    }
    await sending
  }
  return {
    add: async (one) => {
      page.push(one)
      if (page.length >= size) await flush()
    },
    flush,
  }
}
