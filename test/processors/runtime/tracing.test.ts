import {
  type Context,
  type Span,
  type SpanContext,
  type SpanOptions,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSpan } from '../../../src/processors/runtime/tracing.ts'
import { eventsOf, useFolder } from './log.ts'
import { order, startProcess } from './world.ts'

const { openLog } = useFolder()
const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${parentId}-01`

const deliver = async (sent?: string) => {
  const store = openLog()
  await startProcess(store).deliver([order(0, 'deposit', 'a', 1, sent)])
  const [event] = await eventsOf(store)
  return event?.metadata.traceparent
}

describe('without a tracing SDK', () => {
  test('the producer’s trace context is handed on as it came', async () => {
    expect(await deliver(traceparent)).toBe(traceparent)
  })

  test('no trace is made up', async () => {
    expect(await deliver()).toBeUndefined()
    expect(startSpan('s', undefined, {}).traceparent).toBeUndefined()
  })

  test.each(['', 'nonsense', '00-xyz-abc-01', `00-${'0'.repeat(32)}-${parentId}-01`])(
    'a traceparent that says nothing is not handed on: %o',
    (text) => {
      expect(startSpan('s', text, {}).traceparent).toBeUndefined()
    },
  )
})

interface Recorded {
  readonly name: string
  readonly attributes: unknown
  readonly parent: SpanContext | undefined
  readonly context: SpanContext
  ended: boolean
}

/** Keeps spans in a list; a child is in its parent's trace. */
const memoryProvider = () => {
  const spans: Recorded[] = []
  const startOne = (name: string, options: SpanOptions = {}, context?: Context): Span => {
    const parent = context && trace.getSpanContext(context)
    const recorded: Recorded = {
      name,
      attributes: options.attributes,
      parent,
      context: {
        traceId: parent?.traceId ?? 'f'.repeat(32),
        spanId: (spans.length + 1).toString(16).padStart(16, '0'),
        traceFlags: 1,
      },
      ended: false,
    }
    spans.push(recorded)
    return {
      ...trace.wrapSpanContext(recorded.context),
      spanContext: () => recorded.context,
      isRecording: () => true,
      end: () => {
        recorded.ended = true
      },
    } as unknown as Span
  }
  const tracer: Tracer = {
    startSpan: startOne,
    startActiveSpan: () => {
      throw new Error('not used')
    },
  }
  const provider: TracerProvider = { getTracer: () => tracer }
  return { spans, provider }
}

describe('with a tracing SDK', () => {
  const { spans, provider } = memoryProvider()
  beforeAll(() => {
    trace.setGlobalTracerProvider(provider)
  })
  afterAll(() => {
    trace.disable()
  })

  test('the event is written by a span below the producer’s, in its trace', async () => {
    const written = await deliver(traceparent)
    const span = spans.at(-1)
    expect(span).toMatchObject({
      name: 'process deposit',
      parent: { traceId, spanId: parentId, traceFlags: 1, isRemote: true },
      attributes: { 'messaging.message.id': 'order-0', 'fonds.stream': 'account-a' },
      ended: true,
    })
    expect(written).toBe(`00-${traceId}-${span?.context.spanId}-01`)
  })

  test('without a producer’s context a trace begins', async () => {
    const written = await deliver()
    expect(spans.at(-1)?.parent).toBeUndefined()
    expect(written).toBe(`00-${'f'.repeat(32)}-${spans.at(-1)?.context.spanId}-01`)
  })

  test('the span ends when the message is buried, too', async () => {
    await startProcess(openLog()).deliver([order(0, 'break', 'a')])
    expect(spans.at(-1)).toMatchObject({ name: 'process break', ended: true })
  })
})
