import { filesTopic } from '../../domain/indexing/messages.ts'
import { reportOnTopic } from '../runtime/report-on-topic.ts'
import type { Listed } from './listing/listed.ts'
import type { Polled, PollTools } from './poll-source.ts'

const sentAtOnce = 500

/** Reports every file of a list as indexed before Fonds came. Names are enough. Throws as `pollSource` does. */
export const adoptList = async (
  repository: string,
  list: AsyncIterable<Listed>,
  { broker, clock, source, signal, onSkipped }: Omit<PollTools, 'viewStore' | 'policy'>,
): Promise<Polled> => {
  const adopted = { listed: 0, news: 0, skipped: 0 }
  let reports: { readonly type: string; readonly data: unknown }[] = []
  const send = async () => {
    signal.throwIfAborted()
    if (reports.length > 0) await reportOnTopic({ broker, clock }, filesTopic, source, reports)
    adopted.news += reports.length
    reports = []
  }
  for await (const listed of list) {
    if (listed.kind === 'skipped') {
      adopted.skipped++
      onSkipped(listed.what, listed.reason)
      continue
    }
    if (listed.isOpen) continue
    const { name, place, fileKind } = listed
    adopted.listed++
    reports.push({
      type: 'file.adopted',
      data: { repository, name, ...place, ...(fileKind && { kind: fileKind }) },
    })
    if (reports.length >= sentAtOnce) await send()
  }
  await send()
  return adopted
}
