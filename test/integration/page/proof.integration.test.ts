import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkpointText, noteText, parseCheckpoint, parseNote, signedNote } from '@fonds/tlog'
import { leafHash, noteSigner } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { sealNow } from '#src/app/proof/seal-now.ts'
import { event } from '../../contracts/new-event.ts'
import { openHome } from '../../e2e/open-home.ts'
import { run, useFolder } from '../../e2e/run-fonds.ts'
import {
  barriersIn,
  browserIsAbsent,
  openTab,
  sharedDemo,
  sidewaysIn,
  startDemo,
  startNode,
  testOnEachScreen,
  useImage,
} from './browser.ts'

useImage()

const phone = { width: 360, height: 740 }
const item = 'archive/photographs/plate-004.dng'

/** A home whose first event somebody changed after it was sealed, and whose last is not sealed: their positions. */
const changedHome = async (home: string): Promise<readonly [changed: bigint, unsealed: bigint]> => {
  const system = await openHome(home)
  const write = async () => {
    const written = await system.eventStore.append('a-1', 'any', [event('T', { n: 1 })])()
    if (isLeft(written)) throw new Error('not written')
    return written.right.position
  }
  const first = await write()
  await write()
  expect(await sealNow(system)).toBeUndefined()
  const last = await write()
  await system.close()
  const db = new DatabaseSync(join(home, 'fonds.db'))
  db.exec('DROP TRIGGER events_never_change')
  db.exec(`UPDATE events SET data = replace(data, '1', '2') WHERE position = ${first}`)
  db.close()
  return [first, last]
}

/** A home that was sealed twice: its first head, and heads that its key signed of another history. */
const grownHome = async (home: string) => {
  const system = await openHome(home)
  const write = async () => {
    const written = await system.eventStore.append('a-1', 'any', [event('T', { n: 1 })])()
    if (isLeft(written)) throw new Error('not written')
  }
  const files = await system.proofLog()
  const headNow = async () => (await files.head())!.text
  await write()
  await write()
  expect(await sealNow(system)).toBeUndefined()
  const first = await headNow()
  await write()
  expect(await sealNow(system)).toBeUndefined()
  const today = await headNow()
  const { ed25519 } = (await files.keys())!
  await system.close()
  const forked = (text: string, more = 0n) => {
    const { origin, size } = parseCheckpoint(parseNote(text).text)
    const other = checkpointText({ origin, size: size + more, root: leafHash(Buffer.from('another')) })
    return noteText(signedNote(other, [noteSigner(origin, ed25519)]))
  }
  return { first, today, forked }
}

describe.skipIf(browserIsAbsent)('a proof', () => {
  it('is reached from a thing, verified in the browser, and a file that others verify; another key is not the archive’s', async () => {
    const { address, home } = await startDemo()
    const page = await openTab({ acceptDownloads: true })
    await page.goto(`${address}/fixity/item?store=archive&path=photographs%2Fplate-004.dng`)
    await page.getByRole('link', { name: 'Prove', exact: true }).click()
    await page.getByRole('button', { name: 'Verify these in this browser' }).click()
    await page.getByText(/^These \d+ are verified$/).waitFor()
    await page
      .getByRole('link', { name: /^Prove event/ })
      .first()
      .click()
    await page.getByText('Verified in this browser', { exact: true }).waitFor()
    expect(await page.locator('h1').textContent()).toContain('is as it was sealed')
    expect(await page.getByText('the operator of this server gave it').count()).toBe(1)

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Proof file' }).click(),
    ])
    const file = join(home, download.suggestedFilename())
    await download.saveAs(file)
    expect(readFileSync(file, 'utf8')).toMatch(/^c2sp\.org\/tlog-proof@v1\n/)
    const { code, stdout } = await run(['proof', 'verify', file], { home })
    expect([code, stdout]).toEqual([0, expect.stringContaining('holds')])

    const field = page.getByLabel('Key or policy')
    const believe = page.getByRole('button', { name: 'Believe this key' })
    const other = 'fonds.local/other+00000000+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    await field.fill(other)
    await believe.click()
    await page.getByText('Does not hold', { exact: true }).waitFor()
    expect(await page.getByText('Verified in this browser').count()).toBe(0)
    expect(await page.locator('h1').textContent()).not.toContain('as it was sealed')
    await field.fill((await run(['proof', 'key', '--policy'], { home })).stdout)
    await believe.click()
    await page.getByText('Verified in this browser', { exact: true }).waitFor()
    await page.getByText('the key that you gave').waitFor()
  })

  it('of an event with a changed byte does not hold, and says which part; of an unsealed one there is none', async () => {
    const { home } = useFolder()
    const args = ['--roles', 'api,projections']
    const [first, last] = await changedHome(home)
    const { address } = await startNode({ home }, '0', args)
    const page = await openTab()
    await page.goto(`${address}/proofs/event?position=${first}`)
    await page.getByText('Does not hold', { exact: true }).waitFor()
    await page.getByText('another data').waitFor()
    expect(await page.getByText('Verified in this browser').count()).toBe(0)
    await page.goto(`${address}/proofs/event?position=${last}`)
    await page.getByText('is not sealed yet').waitFor()
    expect(await page.getByText(/verified in this browser|as it was sealed/i).count()).toBe(0)
    await page.goto(`${address}/proofs`)
    await page.getByText('Nobody seals').waitFor()
    await page.getByText('with the role sealer').first().waitFor()
  })

  it('a kept checkpoint is of the same history, or is not: by signatures and proof, and a fork is loud', async () => {
    const { home } = useFolder()
    const { first, today, forked } = await grownHome(home)
    const { address } = await startNode({ home }, '0', ['--roles', 'api,projections'])
    const page = await openTab({ acceptDownloads: true, colorScheme: 'dark', viewport: phone })
    await page.goto(`${address}/proofs`)
    const compare = async (text: string, verdict: string) => {
      await page.getByLabel('Against a checkpoint you kept').fill(text)
      // By the keyboard alone.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByText(verdict, { exact: true }).waitFor()
      const isSame = verdict === 'The same history'
      expect(await page.getByText('The same history').count()).toBe(isSame ? 1 : 0)
    }
    await compare(first, 'The same history')
    await page.getByText('Nothing before it was removed, changed or reordered').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await compare(today, 'The same history')
    await compare('a letter', 'This is no checkpoint')
    await compare(first.replace(/.*/, 'other.example/log'), 'It is of another log')
    await compare(first.replace('\n2\n', '\n1\n'), 'Not signed by the key that is believed')
    await compare(forked(today, 1n), 'The tree was larger when you kept it')
    await compare(forked(first), 'Today’s tree does not go on from it')
    await compare(forked(today), 'A fork: two histories were signed')
    await page.getByRole('alert').getByText('These two heads alone prove it').waitFor()
    expect([await barriersIn(page), await sidewaysIn(page)]).toEqual([[], 0])
    for (const [name, text] of [
      ['Save what you kept', forked(today)],
      ['Save today’s head', today],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^(kept|today)-\d+\.checkpoint$/)
      expect(readFileSync(await download.path(), 'utf8')).toBe(text)
    }
    await page.reload()
    await page.route('**/api/v1/proof/consistency?*', (route) => route.abort())
    await compare(first, 'Nothing was compared.')
  })

  it('a proof file that is chosen or dropped is checked by the key alone: what it states, and what was not checked', async () => {
    const address = await sharedDemo()
    const proof = await (await fetch(`${address}/api/v1/proof/event?position=3&format=file`)).text()
    const page = await openTab({ viewport: phone })
    await page.goto(`${address}/proofs`)
    const field = page.getByLabel('Proof file, or a checkpoint that you kept')
    const choose = (text: string) =>
      field.setInputFiles({ name: 'mine.tlog-proof', mimeType: 'text/plain', buffer: Buffer.from(text) })
    await choose(proof)
    await page.getByText('The entry is in the signed tree', { exact: true }).waitFor()
    await page.getByText('That an event has these bytes: the file holds the SHA-256').waitFor()
    expect(await page.getByText(/verified in this browser|as it was sealed/i).count()).toBe(0)
    expect([await barriersIn(page), await sidewaysIn(page)]).toEqual([[], 0])
    await choose(proof.replace(/^index .*$/m, 'index 0'))
    await page.getByText('Does not hold', { exact: true }).waitFor()
    expect(await page.getByText('What was sealed', { exact: true }).count()).toBe(0)
    await page.evaluate(`{
      const files = new DataTransfer()
      files.items.add(new File([${JSON.stringify(proof)}], 'dropped.tlog-proof'))
      for (const type of ['dragover', 'drop'])
        document.querySelector('h1').dispatchEvent(
          new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }),
        )
    }`)
    await page.getByText('dropped.tlog-proof').waitFor()
    await page.getByText('The entry is in the signed tree', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Compare with the event in this log' }).click()
    await page.getByText('Verified in this browser', { exact: true }).waitFor()
  })

  it('where a browser verifies no Ed25519 it offers the file and the reason, and verifies nothing', async () => {
    const address = await sharedDemo()
    const page = await openTab()
    await page.addInitScript(`crypto.subtle.importKey = async () => {
      throw new DOMException('no', 'NotSupportedError')
    }`)
    await page.goto(`${address}/proofs/event?position=3`)
    await page.getByText('This browser does not verify signatures by Ed25519').waitFor()
    await page.getByText('Not checked here', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Proof file' }).count()).toBe(1)
    expect(await page.getByText('Verified in this browser').count()).toBe(0)
  })

  testOnEachScreen(
    'dark',
    [
      '/proofs',
      '/proofs/event?position=3',
      `/proofs/things/${encodeURIComponent(item)}`,
      '/proofs/captures/museum-2026.warc.gz',
    ],
    async (page) => {
      await page.locator('.stats, .climb, table').first().waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
    },
  )
})
