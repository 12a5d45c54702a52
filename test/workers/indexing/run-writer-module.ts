/** As the whole system has it. */
export const runWriterModule = new URL('../../../infra/capture-index/run-writer.ts', import.meta.url)
