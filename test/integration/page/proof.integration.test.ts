import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { sealNow } from '#src/app/proof/seal-now.ts'
import { event } from '../../contracts/new-event.ts'
import { openHome } from '../../e2e/open-home.ts'
import { run, useFolder } from '../../e2e/run-fonds.ts'
import {
  browserIsAbsent,
  openTab,
  sharedDemo,
  startDemo,
  startNode,
  testOnEachScreen,
  useImage,
} from './browser.ts'

useImage()

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
