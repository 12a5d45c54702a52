import { describe, expect, it } from 'vitest'
import { search } from '#src/projections/matching/questions/search.ts'
import { folded } from '../folding.ts'

const found = async (text: string, page = { offset: 0, limit: 10 }) => {
  const all = folded()
  all.log.say('herbal', { title: 'A Herbal of the Alps' })
  all.log.say('herbal-scan', { links: ['herbal', 'herb-9'] })
  all.log.say('plate-9', { title: 'Gentian, plate IX' })
  all.log.say('plate-10', { title: 'Edelweiss, PLATE X' })
  all.log.flush()
  const { works, ...told } = await search(all.views, text, page)
  return { works: works.map(({ work }) => work), ...told }
}

describe('a search', () => {
  it('finds an id, then ids that begin so, then titles', async () => {
    expect(await found('herbal')).toEqual({
      works: ['herbal', 'herbal-scan'],
      total: 2,
      isWhole: true,
    })
  })

  it('finds all words of a title, in whatever case and order', async () => {
    expect((await found('plate')).works).toEqual(['plate-10', 'plate-9'])
    expect((await found('Plate gentian')).works).toEqual(['plate-9'])
    expect((await found('alps gentian')).works).toEqual([])
  })

  it('finds an id that links name and nobody described', async () => {
    expect((await found('herb-9')).works).toEqual(['herb-9'])
  })

  it('comes page by page, of how many', async () => {
    const page = async (offset: number, limit: number) => (await found('plate', { offset, limit })).works
    expect(await found('plate', { offset: 0, limit: 1 })).toEqual({
      works: ['plate-10'],
      total: 2,
      isWhole: true,
    })
    expect(await page(1, 1)).toEqual(['plate-9'])
    expect(await page(0, 2)).toEqual(['plate-10', 'plate-9'])
    expect(await page(2, 2)).toEqual([])
  })
})
