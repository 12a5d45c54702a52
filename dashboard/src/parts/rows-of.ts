import type { Answered } from '../api/client.ts'
import type { AskRows, Page } from './many/find-rows.ts'
import type { Rows } from './use-window.ts'

/** Rows alone, as they are now. */
export const rowsOf =
  <Row>(ask: (page: Page, signal: AbortSignal) => Promise<Answered<Rows<Row>>>): AskRows<Row> =>
  async (page) =>
    (await ask(page, new AbortController().signal)).data.rows
