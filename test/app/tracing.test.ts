import {
  type Context,
  type Span,
  type SpanContext,
  type SpanOptions,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { contentTopic } from '#src/domain/fixity/messages.ts'
import { writeMessage } from '#src/domain/kernel/cloud-event.ts'
import { started, testSystem } from './archive.ts'

interface Kept {
  readonly name: string
  readonly parent: SpanContext | undefined
  readonly context: SpanContext
  ended: boolean
}
const spans: Kept[] = []

/** What an SDK does, as far as it matters here: a child is in its parent's trace. */
const startSpan = (name: string, _: SpanOptions = {}, context?: Context): Span => {
  const parent = context && trace.getSpanContext(context)
  const spanId = String(spans.length + 1).padStart(16, '0')
  const kept: Kept = {
    name,
    parent,
    context: { traceId: parent?.traceId ?? 'f'.repeat(32), spanId, traceFlags: 1 },
    ended: false,
  }
  spans.push(kept)
  const end = () => {
    kept.ended = true
  }
  const span = { spanContext: () => kept.context, end }
  return span as unknown as Span
}
const provider: TracerProvider = { getTracer: () => ({ startSpan }) as unknown as Tracer }

beforeAll(() => void trace.setGlobalTracerProvider(provider))
afterAll(() => trace.disable())

it('a message’s trace goes on through its processing into the views', async () => {
  const system = await testSystem()
  await started(system, ['processors', 'reactions', 'projections'])
  const [traceId, producer] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const message = {
    id: '1',
    source: 'https://repository.example',
    type: 'content.recorded',
    time: system.clock.now(),
    data: { store: 'main', path: 'a.txt', checksums: [] },
    traceparent: `00-${traceId}-${producer}-01`,
  }
  await system.broker.produce([writeMessage(message, contentTopic)])()
  await waitUntilIdle(system)

  const [processed, projected] = ['process content.recorded', 'project fixity'].map((name) => {
    const named = spans.filter((span) => span.name === name)
    expect(named, name).toHaveLength(1)
    return named[0]!
  })
  expect(processed).toMatchObject({
    parent: { traceId, spanId: producer },
    context: { traceId },
    ended: true,
  })
  expect(projected).toMatchObject({ parent: processed!.context, context: { traceId }, ended: true })
  expect(projected!.parent).toMatchObject({ spanId: processed!.context.spanId })
})
