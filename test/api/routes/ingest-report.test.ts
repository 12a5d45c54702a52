import { describe, expect, it } from 'vitest'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { startServer } from '../server.ts'

describe("a depositor's report", () => {
  const submitted = async () => {
    const { post, get, system } = await startServer({ roles: ['processors', 'reactions', 'projections'] })
    const { body } = await post('/api/v1/ingest/submissions', {
      profile: 'default',
      submitter: 'ada\nlovelace',
      mode: 'add',
      payload: { url: 'https://host.example/letters.checkm' },
    })
    await waitUntilIdle(system)
    return {
      batch: body.batch,
      report: (accept: string) => get(`/api/v1/ingest/batches/1/report`, { accept }),
    }
  }

  it('is JSON, a page, or plain text in which no word of the depositor ends a line', async () => {
    const { batch, report } = await submitted()
    expect((await report('application/json')).body).toMatchObject({ batch, number: 1, finishedAt: null })
    const page = await report('text/html')
    expect(page.text).toContain(`<title>Submission report, 1</title>`)
    const text = await report('text/plain')
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text.text.split('\n').slice(0, 3)).toEqual([
      `Submission  ${batch} (batch 1)`,
      expect.stringMatching(/^Submitter {3}ada.*lovelace$/),
      'Payload     https://host.example/letters.checkm',
    ])
    expect(text.text.endsWith('\n')).toBe(true)
  })
})
