import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { right } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { storageRootAt } from '#infra/object-store/ocfl/storage-root.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { launch, until } from '../../e2e/run-fonds.ts'
import { done, useRoot, versionOf } from '../../infra/object-store/root-folder.ts'
import { isAbsent, isValid, judgeObject, judgeRoot, listRoot, useRootJudges } from './ocfl-judges.ts'

/* Storage roots that we wrote, judged by programs that are not ours. */

describe.skipIf(isAbsent)('an OCFL storage root of ours', () => {
  it('is valid to rocfl and to ocfl-py, with names of any kind and versions that carry, drop and replace', async () => {
    const { root, open, file } = useRoot()
    // Its id stands at its top, where no rule of OCFL has anything.
    expect(await storageRootAt(root).name('an id')()).toEqual(right('an id'))
    const store = await open()
    const names = ['a', 'b/c', 'B/C', 'é', 'e\u0301', 'a:b', 'end.', 'x'.repeat(300), 'white space', '%41']
    const ids = ['ark:/99999/fk4abc', 'ark:/99999/ü', `ark:/99999/${'x'.repeat(200)}`, 'urn:a b/../c']
    for (const id of ids) {
      await done(
        store.write(
          versionOf(
            id,
            0,
            names.map((name) => file(name, name)),
          ),
        ),
      )
      await done(store.write(versionOf(id, 1, [file('a', 'new')], { carry: 'all', drop: ['é'] })))
      await done(store.write(versionOf(id, 2, [])))
      await done(store.write(versionOf(id, 3, [file('a', 'a')])))
    }
    expect(await useRootJudges()(root, 'at the end')).toBe(ids.length)
    await store.close()
    const { code, says } = listRoot(root)
    expect(code, says).toBe(0)
    for (const id of ids) expect(says).toContain(id)
  })

  // rocfl 1.7 says E051 of any name that JSON writes with an escape; OCFL 1.1 has no such rule.
  it('is valid to ocfl-py with names that JSON escapes', async () => {
    const { root, open, file } = useRoot()
    const store = await open()
    const names = ['a\\b', 'a "quoted" name', 'two\nlines']
    await done(
      store.write(
        versionOf(
          'ark:/99999/1',
          0,
          names.map((name) => file(name, name)),
          { message: 'a "quoted" message' },
        ),
      ),
    )
    const { code, says } = judgeObject(root, 'ark:/99999/1')
    expect(code, says).toBe(0)
  })

  it('is valid after each kill, and holds what its writer said to be stored', async () => {
    const { base, root, open } = useRoot()
    const { chance } = useSeed()
    const stored = new Map<string, number>()
    for (let kill = 0; kill < roundsOr(12, 25); kill++) {
      const writer = launch(process.execPath, [join(import.meta.dirname, 'ocfl-writer.ts'), base, '8'])
      await until('the writer writes', () => {
        if (writer.child.exitCode !== null) throw new Error(writer.stderr())
        return writer.stdout().includes('ark')
      })
      await setTimeout(chance() * 60)
      writer.child.kill('SIGKILL')
      await writer.exit
      for (const line of writer.stdout().split('\n').slice(0, -1)) {
        const [object = '', version] = line.split(' ')
        stored.set(object, Number(version))
      }
      expect(judgeRoot(root), `after kill ${kill}`).toEqual(isValid)
    }
    const store = await open()
    expect(judgeRoot(root)).toEqual(isValid)
    for (const [object, version] of stored) {
      const head = (await done(store.head(object)))?.version
      expect(head).toBeGreaterThanOrEqual(version)
      const file = await done(store.read(object, 'version'))
      expect(await text(file!.open())).toBe(String(head))
    }
  })
})
