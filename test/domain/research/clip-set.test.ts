import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasClip, isEmpty, noClips, withClips, withoutClips } from '#src/domain/research/clip-set.ts'

const ids = Array.from({ length: 100 }, (_, i) => `clip-set ${i}`)
const some = fc.subarray(ids)

describe('a set of clips', () => {
  it('holds what was added and not taken away, like any set', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), some)), (changes) => {
        const plain = new Set<string>()
        let set = noClips
        for (const [adds, clips] of changes) {
          set = adds ? withClips(set, clips) : withoutClips(set, clips)
          for (const clip of clips) adds ? plain.add(clip) : plain.delete(clip)
        }
        expect(ids.filter((id) => hasClip(set, id))).toEqual(ids.filter((id) => plain.has(id)))
        expect(isEmpty(set)).toBe(plain.size === 0)
      }),
    )
  })

  it('is never changed: others that were made of it stay as they were', () => {
    fc.assert(
      fc.property(some, some, (first, then) => {
        const set = withClips(noClips, first)
        withClips(set, then)
        withoutClips(set, then)
        expect(ids.filter((id) => hasClip(set, id))).toEqual(first)
      }),
    )
  })

  it('is equal to any with the same members, in whatever order they came', () => {
    fc.assert(
      fc.property(some, (clips) => {
        const backwards = clips.toReversed().reduce((set, clip) => withClips(set, [clip]), noClips)
        expect(withClips(noClips, clips)).toEqual(backwards)
        expect(
          withoutClips(
            withClips(backwards, ids),
            ids.filter((id) => !clips.includes(id)),
          ),
        ).toEqual(backwards)
      }),
    )
  })

  it('takes a bit a clip', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `one of many ${i}`)
    expect(withClips(noClips, many).length * 4).toBeLessThan(2_600)
  })

  it('asking for a clip that nobody has met does not number it', () => {
    const before = withClips(noClips, ['clip-set last']).length
    for (let i = 0; i < 1_000; i++) hasClip(noClips, `never met ${i}`)
    expect(withClips(noClips, ['clip-set after']).length).toBeLessThanOrEqual(before + 1)
  })
})
