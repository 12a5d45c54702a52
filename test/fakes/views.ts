import { openViewStore, type ViewStoreOptions } from '../../infra/views/sqlite/view-store.ts'
import type { ViewStore } from '../../src/ports/view-store.ts'

/** Views that keep no history, which is half of the cost of folding: a suite that asks the past says `keepsHistory: true`. */
export const openTestViews = (file = ':memory:', options: ViewStoreOptions = {}): ViewStore =>
  openViewStore(file, { keepsHistory: false, ...options })
