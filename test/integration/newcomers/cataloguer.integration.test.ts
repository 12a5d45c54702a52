import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../../e2e/run-fonds.ts'
import { ask, run } from '../../e2e/run-here.ts'
import { ndjson, redated, retitled, works } from './catalogue.ts'

/* A cataloguer, by the command line: a catalogue is taken in and matched, a doubtful graph is right, a wrong one is split. */

const by = (reason: string) => ['--actor', 'ann', '--reason', reason]

describe('a cataloguer', () => {
  it('takes in a file, looks at what stands out, says that one graph is right, and splits the other', async () => {
    const { folder, home } = useFolder()
    const given = { home }
    const file = join(folder, 'catalogue.ndjson')
    const take = async (some: Parameters<typeof ndjson>[0]) => {
      writeFileSync(file, ndjson(some))
      const [taken] = await ask(['produce', 'fonds.matching.works', file, '--wait'], given)
      expect(taken).toMatchObject({ accepted: some.length, refused: 0 })
    }
    const matching = (...args: string[]) => ask(['matching', ...args], given)
    const odd = async () => (await matching('quality')).map(({ what, id, title }) => [what, id, title])
    await take(works)

    // Found by words of a title; both graphs hang by one link.
    expect(await matching('search', 'heavens', 'atlas')).toMatchObject([{ work: 'heavens' }])
    const heavens = ['one-link', 'anatomy', 'Atlas of anatomy']
    const herbal = ['one-link', 'herbal-1', 'A herbal of the Alps, volume 1']
    expect((await odd()).toSorted()).toEqual([heavens, herbal])

    // Two atlases, side by side: another title, another year, and a link that should not be.
    const [pair] = await matching('compare', 'heavens', 'anatomy')
    expect(pair).toMatchObject({
      direct: [{ from: 'heavens', to: 'anatomy', reasons: ['same as'] }],
      why: { kind: 'together', titles: { heavens: 'Atlas of the heavens' } },
    })
    const differing = pair.fields.filter(({ agrees }: { agrees: string }) => agrees === 'differs')
    expect(differing.map(({ field }: { field: string }) => field)).toEqual(['title', 'year'])
    const nobody = await run(['matching', 'compare', 'heavens', 'nobody'], given)
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('nothing is known of nobody')])
    const [tried] = await matching('what-if', 'drop', 'heavens', 'anatomy')
    expect([tried.before.length, tried.after.length]).toEqual([1, 2])
    await matching('drop-link', 'heavens', 'anatomy', ...by('two atlases'))
    expect(await odd()).toEqual([herbal])

    // Two volumes of one book: that is right.
    await matching('confirm', 'herbal-2', ...by('two volumes of one herbal'))
    expect(await odd()).toEqual([])
    const again = await run(['matching', 'confirm', 'herbal-1', ...by('once more')], given)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is confirmed as it is')])
    const verdict = { id: 'herbal-1', actor: 'ann', reason: 'two volumes of one herbal', stands: true }
    expect(await matching('confirmed')).toMatchObject([verdict])
    expect(await matching('graph', 'herbal-2')).toMatchObject([{ verdict: { actor: 'ann', stands: true } }])

    // What changes nothing of it leaves it alone; another title brings it back; so does taking it back.
    await take([redated])
    expect(await odd()).toEqual([])
    await take([retitled])
    expect(await odd()).toEqual([herbal])
    expect(await matching('confirmed')).toMatchObject([{ ...verdict, stands: false }])
    const late = ['do', 'matching.confirm', 'work=herbal-1', 'seen=1', ...by('late')]
    const refused = await run(late, given)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('look at it once more')])
    await matching('confirm', 'herbal-1', ...by('it was renamed'))
    expect(await odd()).toEqual([])
    await matching('unconfirm', 'herbal-2', ...by('it was another book'))
    expect(await odd()).toEqual([herbal])
    expect(await matching('confirmed')).toEqual([])
    const types = (await ask(['events', '--stream', 'verdict-herbal-1'], given)).map(({ type }) => type)
    expect(types).toEqual(['GraphConfirmed', 'GraphConfirmed', 'GraphUnconfirmed'])
    expect(await ask(['rebuild', 'matching', '--verify'], given)).toMatchObject([{ verdict: 'equal' }])
  })
})
