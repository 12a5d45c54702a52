import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { ObjectStore, SourceFile } from '#src/ports/object-store.ts'
import { done, failureOf, hex, versionOf } from '../infra/object-store/root-folder.ts'

export interface ObjectStoreWorld {
  /** Opens the same root again, as another process does. */
  readonly open: () => Promise<ObjectStore>
  readonly file: (path: string, text: string) => SourceFile
  /** Removes the bytes of a file, behind the store's back. */
  readonly lose: (ending: string) => Promise<void>
}

const ark = 'ark:/99999/fk4abc'

/** Behaviour of every object store; `isAtomic`: of two requests that put a key which must not be there, its server takes one. */
export const objectStoreSuite = (create: () => Promise<ObjectStoreWorld>, isAtomic = true): void => {
  const textOf = async (store: ObjectStore, path: string, version?: number) => {
    const found = await done(store.read(ark, path, version))
    return found && text(found.open())
  }

  describe('an object store', () => {
    it('has what was written, version by version, and opens it again', async () => {
      const { open, file } = await create()
      const store = await open()
      expect(await done(store.head(ark))).toBeUndefined()
      expect(await done(store.files(ark))).toBeUndefined()
      expect(await done(store.inspect(ark))).toBeUndefined()
      const names = ['a', 'b/c', 'großes Ö.txt', 'with blank + plus %20', 'empty']
      const first = await done(
        store.write(
          versionOf(
            ark,
            0,
            names.map((name) => file(name, name === 'empty' ? '' : name)),
          ),
        ),
      )
      expect(first).toMatchObject({ object: ark, version: 1, files: 5 })
      const again = await open()
      expect(await done(again.head(ark))).toEqual({ ...first, added: 0 })
      for (const name of names) expect(await textOf(again, name)).toBe(name === 'empty' ? '' : name)
      const second = await done(
        again.write(versionOf(ark, 1, [file('a', 'new')], { carry: 'all', drop: ['b/c'] })),
      )
      expect(second).toMatchObject({ version: 2, files: 4, added: 3 })
      expect((await done(store.files(ark)))?.map(({ path }) => path)).toEqual(
        ['a', 'empty', 'großes Ö.txt', 'with blank + plus %20'].toSorted(),
      )
      expect(await done(store.files(ark, 1))).toContainEqual({ path: 'b/c', size: 3, sha256: hex('b/c') })
      expect([await textOf(store, 'a', 1), await textOf(store, 'a'), await textOf(store, 'b/c')]).toEqual([
        'a',
        'new',
        undefined,
      ])
      expect(await done(store.files(ark, 3))).toBeUndefined()
    })

    it('names what each version brought, with the digests of what is written beside it', async () => {
      const { open, file, lose } = await create()
      const store = await open()
      expect(await done(store.added(ark, 1, hex('none')))).toBeUndefined()
      const first = await done(
        store.write(versionOf(ark, 0, [file('a', '1'), file('b/ö', '2'), file('same', '1')])),
      )
      const second = await done(
        store.write(versionOf(ark, 1, [file('c', '3'), file('again', '2')], { carry: 'all' })),
      )
      const brought = async ({ version, inventoryDigest }: typeof first) => {
        const { folder, files, records, shared } = (await done(store.added(ark, version, inventoryDigest)))!
        return {
          digests: files.map(({ sha256 }) => sha256).toSorted(),
          isOwn: files.every(({ place }) => place.startsWith(`v${version}/content/`)),
          records,
          shared,
          folder,
        }
      }
      const recordsAt = (below: string, digest: string) => [
        { place: `${below}inventory.json`, sha256: digest, size: expect.any(Number) },
        { place: `${below}inventory.json.sha256`, sha256: hex(`${digest} inventory.json\n`), size: 80 },
      ]
      const declared = {
        place: '0=ocfl_object_1.1',
        sha256: hex('ocfl_object_1.1\n'),
        size: 16,
      }
      const digest = first.inventoryDigest
      expect(await brought(first)).toEqual({
        digests: [hex('1'), hex('2')].toSorted(),
        isOwn: true,
        records: recordsAt('v1/', digest),
        shared: [...recordsAt('', digest), declared],
        folder: expect.stringMatching(/^[0-9a-f]{3}\/[0-9a-f]{3}\/[0-9a-f]{3}\/ark%3a%2f99999%2ffk4abc$/),
      })
      expect(await brought(second)).toMatchObject({
        digests: [hex('3')],
        isOwn: true,
        records: recordsAt('v2/', second.inventoryDigest),
      })
      expect(await failureOf(store.added(ark, 2, digest))).toMatchObject({ kind: 'Damaged', object: ark })
      expect(await failureOf(store.added(ark, 3, hex('none')))).toMatchObject({ kind: 'Damaged' })
      await lose('fk4abc/inventory.json')
      expect(await brought(first)).toMatchObject({ isOwn: true, records: recordsAt('v1/', digest) })
    })

    it('returns the existing version where the same is written again', async () => {
      const { open, file } = await create()
      const store = await open()
      const version = versionOf(ark, 0, [file('a', '1')])
      const first = await done(store.write(version))
      expect(await done((await open()).write(version))).toEqual({ ...first, added: 0 })
    })

    it('is in conflict where another version was written', async () => {
      const { open, file } = await create()
      const store = await open()
      await done(store.write(versionOf(ark, 0, [file('a', '1')])))
      for (const basedOn of [0, 2])
        expect(await failureOf(store.write(versionOf(ark, basedOn, [file('a', '2')])))).toEqual({
          kind: 'Conflict',
          object: ark,
          head: 1,
        })
    })

    it.runIf(isAtomic)(
      'lets one of two writers write a version, and both write different objects',
      async () => {
        const { open, file } = await create()
        const stores = [await open(), await open()] as const
        const outcomes = await Promise.all(
          stores.map((store, i) => failureOf(store.write(versionOf(ark, 0, [file('a', `by ${i}`)])))),
        )
        expect(outcomes.filter((failure) => failure === undefined)).toHaveLength(1)
        expect(outcomes.find((failure) => failure !== undefined)).toMatchObject({ kind: 'Conflict', head: 1 })
        const others = stores.map((_, i) => `ark:/99999/${i}`)
        await Promise.all(
          stores.map((store, i) => done(store.write(versionOf(others[i]!, 0, [file('a', `${i}`)])))),
        )
        expect((await done(stores[0].list('', 10))).map(({ object }) => object).toSorted()).toEqual(
          [ark, ...others].toSorted(),
        )
      },
    )

    it('takes no version that cannot be stored', async () => {
      const { open, file } = await create()
      const store = await open()
      const a = file('a', '1')
      for (const files of [
        [file('../up', '1')],
        [a, a],
        [file('x', '1'), file('x/y', '2')],
        [{ ...a, size: 2 }],
        [{ ...a, from: '/is/not/there' }],
      ])
        expect(await failureOf(store.write(versionOf(ark, 0, files)))).toMatchObject({
          kind: 'Invalid',
          object: ark,
        })
      expect(await done(store.head(ark))).toBeUndefined()
      expect(await done(store.list('', 10))).toEqual([])
    })

    it('reports a file that is missing as damage', async () => {
      const { open, file, lose } = await create()
      const store = await open()
      await done(store.write(versionOf(ark, 0, [file('lost', '1')])))
      await lose('/lost')
      for (const task of [store.files(ark), store.read(ark, 'lost')])
        expect(await failureOf(task as never)).toMatchObject({ kind: 'Damaged', object: ark })
    })

    it('lists objects page by page', async () => {
      const { open, file } = await create()
      const store = await open()
      const ids = Array.from({ length: 7 }, (_, i) => `ark:/99999/${i}`)
      await Promise.all(ids.map((id) => done(store.write(versionOf(id, 0, [file('a', id)])))))
      const found: string[] = []
      for (let after = ''; ; ) {
        const page = await done(store.list(after, 3))
        found.push(...page.flatMap(({ object }) => object ?? []))
        if (page.length < 3) break
        after = page.at(-1)!.place
      }
      expect(found.toSorted()).toEqual(ids)
    })

    it('sets versions aside with a copy, and takes the same again', async () => {
      const { open, file } = await create()
      const store = await open()
      for (const version of [0, 1, 2])
        await done(store.write(versionOf(ark, version, [file('a', `${version}`)])))
      expect(await done(store.setAside(ark, 3))).toBeUndefined()
      const copy = await done(store.setAside(ark, 1))
      expect(await done(store.aside(ark))).toEqual([{ object: ark, folder: copy }])
      expect(await done(store.inspect(ark))).toMatchObject({ versions: [{ version: 1 }], strays: [] })
      expect(await textOf(store, 'a')).toBe('0')
      await done(store.write(versionOf(ark, 1, [file('a', 'another')])))
      expect(await textOf(await open(), 'a')).toBe('another')
      await done(store.setAside(ark, 0))
      expect(await done(store.aside())).toHaveLength(2)
      expect(await done(store.head(ark))).toBeUndefined()
      expect(await done(store.setAside(ark, 0))).toBeUndefined()
      await done(store.write(versionOf(ark, 0, [file('a', 'again')])))
      expect(await textOf(store, 'a')).toBe('again')
    })

    it('rejects with the reason of the signal, and has nothing of an aborted write', async () => {
      const { open, file } = await create()
      const store = await open()
      const reason = new Error('enough')
      await expect(
        store.write(versionOf(ark, 0, [file('a', '1')]), AbortSignal.abort(reason))(),
      ).rejects.toBe(reason)
      expect(await done(store.head(ark))).toBeUndefined()
    })
  })
}
