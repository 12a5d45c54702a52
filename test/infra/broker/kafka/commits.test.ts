import type { TopicOffsets } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { createCommits } from '../../../../infra/broker/kafka/commits.ts'

/** Requests that are answered when the test says so. */
const server = () => {
  const requests: { readonly offsets: string; answer(error?: Error): Promise<void> }[] = []
  const commits = createCommits((topics: TopicOffsets[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const offsets = topics
      .flatMap(({ topic, partitions }) => partitions.map((one) => `${topic}-${one.partition}@${one.offset}`))
      .join(' ')
    requests.push({
      offsets,
      answer: async (error) => {
        if (error) reject(error)
        else resolve()
        await turn()
      },
    })
    return promise
  })
  return { commits, requests, sent: () => requests.map(({ offsets }) => offsets) }
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('commits', () => {
  it('asks for nothing when nothing was finished', async () => {
    const { commits, sent } = server()
    await commits.flush()
    expect(sent()).toEqual([])
  })

  it('commits the furthest of each partition, never a lower one', async () => {
    const { commits, sent } = server()
    commits.note('a', 0, 5n)
    commits.note('a', 0, 9n)
    commits.note('a', 0, 7n)
    commits.note('b', 1, 2n)
    void commits.flush()
    await turn()
    expect(sent()).toEqual(['a-0@9 b-1@2'])
  })

  it('takes along in one request all that finishes during another', async () => {
    const { commits, requests, sent } = server()
    commits.note('a', 0, 1n)
    const first = commits.flush()
    await turn()
    commits.note('a', 1, 1n)
    const second = commits.flush()
    commits.note('a', 2, 1n)
    const third = commits.flush()
    await requests[0]!.answer()
    await first
    expect(sent()).toEqual(['a-0@1', 'a-1@1 a-2@1'])
    await requests[1]!.answer()
    await Promise.all([second, third])
    expect(requests).toHaveLength(2)
  })

  it('keeps what could not be committed for the next request', async () => {
    const { commits, requests, sent } = server()
    commits.note('a', 0, 3n)
    const first = commits.flush()
    const failed = expect(first).rejects.toThrow('away')
    await turn()
    commits.note('a', 0, 4n)
    commits.note('a', 1, 1n)
    await requests[0]!.answer(new Error('away'))
    await failed
    void commits.flush()
    await turn()
    expect(sent()[1]).toBe('a-0@4 a-1@1')
  })

  it('does not commit what others have from now on', async () => {
    const { commits, requests, sent } = server()
    commits.note('a', 0, 3n)
    commits.note('a', 1, 3n)
    commits.keep((_, partition) => partition === 1)
    const first = commits.flush()
    const failed = expect(first).rejects.toThrow('generation')
    await turn()
    expect(sent()).toEqual(['a-1@3'])
    commits.keep(() => false)
    await requests[0]!.answer(new Error('generation'))
    await failed
    await commits.flush()
    expect(requests).toHaveLength(1)
  })
})
