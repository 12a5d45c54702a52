import { describe, expect, it } from 'vitest'
import { startServer } from '../server.ts'

/** A work that a person confirmed, and that no view has. */
const withReview = async () => {
  const server = await startServer({ roles: ['projections'] })
  await server.system.eventStore.append('verdict-A', 'none', [
    {
      id: '0198c2a4-7d4e-7c3b-9a10-2f6b5d8e1c01',
      type: 'RecordConfirmed',
      data: { corrections: 1, reason: 'it was looked at', at: '2026-11-30T12:00:00.000Z' },
      metadata: { actor: 'person#1', causationId: 'm', correlationId: 'c', schema: 1 },
    },
  ])()
  return server
}

describe('GET /api/v1/premis/{id}', () => {
  it('is a document of PREMIS 3, with a person as a reference', async () => {
    const { get } = await withReview()
    const answer = await get('/api/v1/premis/A')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
    const { text } = answer
    expect(text).toMatch(/^<\?xml [\s\S]*<\/premis:premis>\n$/)
    expect(text).toContain('<premis:linkingAgentIdentifierValue>person#1<')
    expect(text).toContain('it was looked at')
  })

  it('is Turtle with format=rdf', async () => {
    const { get } = await withReview()
    const answer = await get('/api/v1/premis/A?format=rdf&base=https://archive.example/')
    expect(answer.headers['content-type']).toBe('text/turtle; charset=utf-8')
    expect(answer.text).toContain('<agent/fonds%20person/person%231>\n  a premis:Person')
  })

  it.each([
    ['/api/v1/premis/nothing', 404, 'nothing-known'],
    ['/api/v1/premis/A?format=json', 400, 'format'],
    ['/api/v1/premis/A?format=rdf&base=here', 400, 'an absolute address that ends in a slash'],
  ])('%s is refused: %s %s', async (url, status, says) => {
    const { get } = await withReview()
    const answer = await get(url)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(says)
  })
})
