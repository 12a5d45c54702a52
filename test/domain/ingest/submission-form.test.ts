import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { schemaOf } from '#src/app/documents/json-schema.ts'
import { Submission } from '#src/domain/ingest/submission.ts'
import {
  type FilledIn,
  fillIn,
  payloadAtUrl,
  SubmissionFields,
  submissionOf,
} from '#src/domain/ingest/submission-form.ts'

type Fields = readonly (readonly [name: string, text: string])[]

const url = 'https://host.example/a.zip'
const who: Fields = [
  ['profile', 'default'],
  ['submitter', 'ada'],
]

const filled = (fields: Fields): FilledIn =>
  fields.reduce<FilledIn>((before, [name, text]) => {
    const next = fillIn(before, name, text)
    if (isLeft(next)) throw new Error(next.left.message)
    return next.right
  }, {})

/** The submission that fields make, or why not. */
const made = (...fields: Fields) => {
  try {
    const form = filled(fields)
    const payload = payloadAtUrl(form)
    if (isLeft(payload)) return payload.left.message
    const submission = submissionOf(form, payload.right)
    if (isRight(submission)) expect(Submission.is(submission.right)).toBe(true)
    return isLeft(submission) ? submission.left.message : submission.right
  } catch (error) {
    return (error as Error).message
  }
}

const bare = { profile: 'default', submitter: 'ada', mode: 'add', payload: { url } }

describe('fields of a form', () => {
  it.each<readonly [string, Fields, object]>([
    ['no more than is needed', [], {}],
    ['the mode, in any spelling', [['mode', ' Update ']], { mode: 'update' }],
    [
      'the ARK, in its one spelling',
      [['primaryIdentifier', 'ark:99999/FK4-a']],
      { primary: 'ark:/99999/FK4a' },
    ],
    [
      'local ids, of one field and of several',
      [
        ['localIdentifier', 'a; b ;;a'],
        ['LOCALIDENTIFIER', 'c;b'],
      ],
      { localIds: ['a', 'b', 'c'] },
    ],
    [
      'who, what, when and where, under both of their names',
      [
        ['creator', 'Ada'],
        ['what', 'Letters'],
        ['date', '1912'],
        ['where', 'Delft'],
        ['note', 'two are torn'],
      ],
      { description: { who: 'Ada', what: 'Letters', when: '1912', where: 'Delft', note: 'two are torn' } },
    ],
    [
      'Dublin Core, each term as often as it is given',
      [
        ['dc.subject', 'letters'],
        ['DC:Subject', 'Delft'],
        ['DCdate', '1912'],
      ],
      { description: { dublinCore: { subject: ['letters', 'Delft'], date: ['1912'] } } },
    ],
    [
      'addresses',
      [['notification', 'a@b.example, c@d.example']],
      { notifyTo: ['a@b.example', 'c@d.example'] },
    ],
    ['the callback', [['callback', 'https://a.example/done']], { callback: 'https://a.example/done' }],
    [
      'nothing where a field is empty',
      [
        ['title', ' '],
        ['dc.date', ''],
        ['size', ''],
      ],
      {},
    ],
  ])('say %s', (_, fields, more) => {
    expect(made(...who, ['url', url], ...fields)).toEqual({ ...bare, ...more })
  })

  it.each<readonly [string, Fields, object]>([
    ['object-manifest', [['type', 'object-manifest']], { type: 'manifest' }],
    [
      'SingleFileBatchManifest',
      [['type', 'SingleFileBatchManifest']],
      { type: 'single-file-batch-manifest' },
    ],
    [
      'size, name and digest',
      [
        ['size', '12'],
        ['filename', 'a.zip'],
        ['digestType', 'SHA-256'],
        ['digestValue', 'ab'],
      ],
      { size: 12, name: 'a.zip', digest: { algorithm: 'SHA-256', value: 'ab' } },
    ],
  ])('say of the payload: %s', (_, fields, payload) => {
    expect(made(...who, ['url', url], ...fields)).toEqual({ ...bare, payload: { url, ...payload } })
  })

  it.each<readonly [Fields, string]>([
    [
      [
        ['submitter', 'ada'],
        ['url', url],
      ],
      'profile: is missing; `default` is always there',
    ],
    [
      [
        ['profile', 'default'],
        ['url', url],
      ],
      'submitter: is missing; say who submits it',
    ],
    [[...who], 'file: is missing; send at least one file, or the url of the payload'],
    [[...who, ['url', 'a.zip']], 'url: wants absolute URL, got "a.zip"'],
    [[...who, ['size', '-1']], 'size: wants whole number from 0, got "-1"'],
    [[...who, ['notification', 'ada']], 'notification: wants list of: mail address, got "ada"'],
    [[...who, ['profile', 'default']], 'profile: is given twice; give it once'],
    [[...who, ['url', url], ['digestValue', 'ab']], 'digestType: is missing beside digestValue; give both'],
    [[['dc.colour', 'red']], 'dc.colour: is no field of a submission; there are profile, submitter, mode'],
  ])('%j: refused', (fields, says) => {
    expect(made(...fields)).toContain(says)
  })

  it('are all in the documents, with what they mean', () => {
    const { properties, required } = schemaOf(SubmissionFields) as {
      properties: Record<string, { description?: string }>
      required: string[]
    }
    expect(required).toEqual(['profile', 'submitter'])
    expect(properties.creator).toMatchObject({ description: 'Who made it.', maxLength: 4000 })
    expect(Object.keys(properties).filter((name) => name.startsWith('dc.'))).toHaveLength(15)
  })
})
