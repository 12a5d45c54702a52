import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../../e2e/run-fonds.ts'
import { browserIsAbsent, bytesBelow, openTab, startNode, testOnEachScreen, useImage } from './browser.ts'

useImage()

const eventsOf = async (address: string, type: string) => {
  const answer = await fetch(`${address}/api/v1/events?type=${type}`)
  return ((await answer.json()) as { events: { metadata: object; data: object }[] }).events
}

const hostile = '<img src=x onerror=alert(1)>\u202egnp.exe'

/** Drops files as a person does: through the events of a drag. Types of a browser's things are not known here. */
const dropping = (names: readonly string[]) => `
  const dropped = new DataTransfer()
  for (const name of ${JSON.stringify(names)}) dropped.items.add(new File(['Dear Ada,'], name))
  const zone = document.querySelector('.drop')
  zone.dispatchEvent(new DragEvent('dragover', { dataTransfer: dropped, bubbles: true, cancelable: true }))
  zone.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }))`

describe.skipIf(browserIsAbsent)('ingest', () => {
  it('takes what is dropped, shows its batch through to the report, and each job’s way', async () => {
    const { address } = await startNode({ home: useFolder().home })
    const page = await openTab()
    await page.goto(`${address}/ingest`)
    await page.getByText('Drop files or folders here').waitFor()
    await page.evaluate(dropping(['one.txt', hostile]))
    await page.getByText('2 files, 18 bytes').waitFor()
    await page.getByLabel('Who you are').fill('ada')
    await page.getByLabel('Title').fill('Letters')
    await page.getByLabel('What the files are').selectOption('an object each')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Handed in.').waitFor()
    expect(await eventsOf(address, 'BatchSubmitted')).toMatchObject([
      { data: { submission: { submitter: 'ada' } } },
    ])
    await page.getByText('The files as they came').click()
    await page.getByText('sha-256').first().waitFor()

    await page.getByRole('link', { name: 'What becomes of the batch' }).click()
    await page.getByText('completed: 2 jobs completed').waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    await page.getByRole('link', { name: 'As its depositor is told' }).click()
    await page.getByText('2 stored, 0 failed, 0 under way').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'job 1', exact: true }).click()
    await expect.poll(() => page.locator('.steps .done').count()).toBe(9)
    expect(await page.getByRole('table').textContent()).toContain('I33')

    await page
      .getByRole('navigation', { name: 'Pages', exact: true })
      .getByRole('link', { name: 'Ingest' })
      .click()
    const lane = page.getByRole('region', { name: 'Completed' })
    await lane.getByRole('link', { name: 'Letters' }).waitFor()
  })

  it('sends again what a killed server cut off, as one batch; half a file is never counted', async () => {
    const { home } = useFolder()
    const first = await startNode({ home })
    const page = await openTab()
    await page.goto(`${first.address}/ingest`)
    const megabytes = 24
    await page.getByLabel('Drop files or folders here').setInputFiles([
      {
        name: 'one.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.alloc(megabytes << 20, 'one'),
      },
    ])
    await page.getByLabel('Who you are').fill('ada')
    const network = await page.context().newCDPSession(page)
    const at = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
      })
    await at(2 << 20)
    await page.getByRole('button', { name: 'Submit' }).click()
    const coming = join(home, 'drop/.coming')
    await expect.poll(() => bytesBelow(coming)).toBeGreaterThan(1 << 20)
    first.child.kill('SIGKILL')
    await first.exit
    await page.getByText('The connection was lost.').waitFor()
    expect(bytesBelow(coming)).toBeLessThan(megabytes << 20)
    await at(-1)
    const { address } = await startNode({ home }, new URL(first.address).port)
    await page.getByText('Handed in.').waitFor()
    await page.getByRole('link', { name: 'What becomes of the batch' }).click()
    await page.getByText('completed: 1 job completed').waitFor()
    expect(await eventsOf(address, 'BatchSubmitted')).toHaveLength(1)
    const { jobs } = (await (await fetch(`${address}/api/v1/ingest/jobs`)).json()) as { jobs: object[] }
    expect(jobs).toMatchObject([{ bytes: megabytes << 20 }])
  })

  it('a failed job says why, and goes on when a person resumes it', async () => {
    const { home } = useFolder()
    const switches = join(home, 'switches')
    mkdirSync(switches, { recursive: true })
    writeFileSync(join(switches, 'storing'), 'the shelf is full')
    const { address } = await startNode({ home, env: { FONDS_INGEST_FAIL_FOLDER: switches } })
    const page = await openTab()
    await page.goto(`${address}/ingest`)
    await page
      .getByLabel('Drop files or folders here')
      .setInputFiles([{ name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('one') }])
    await page.getByLabel('Who you are').fill('ada')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByRole('link', { name: 'What becomes of the batch' }).click()
    await page.getByText('1 job of 1 failed').waitFor()
    await page.getByRole('link', { name: 'job 1', exact: true }).first().click()
    await page.getByText('the shelf is full').first().waitFor()
    await page.locator('.steps .failed', { hasText: 'storing' }).waitFor()

    rmSync(join(switches, 'storing'))
    await page.getByRole('button', { name: 'Resume the job' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Why').fill('there is room again')
    await dialog.getByRole('button', { name: 'Resume the job' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.locator('.steps .done', { hasText: 'completed' }).waitFor()
    expect(await eventsOf(address, 'JobMoved')).toContainEqual(
      expect.objectContaining({
        metadata: expect.objectContaining({ actor: 'ada' }),
        data: expect.objectContaining({ from: 'failed', message: 'there is room again' }),
      }),
    )
  })

  it('all ingest is paused, says so on its list of holds, and goes on', async () => {
    const { address } = await startNode({ home: useFolder().home })
    const page = await openTab()
    await page.goto(`${address}/ingest`)
    const act = async (verb: string) => {
      await page.getByRole('button', { name: verb }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Who you are').fill('olga')
      await dialog.getByLabel('Why').fill('stocktaking')
      await dialog.getByRole('button', { name: verb }).click()
      await dialog.getByText('Done.', { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
    }
    await page.getByText('Nothing is on hold.').waitFor()
    await act('Pause all ingest')
    await page.locator('main tr', { hasText: 'stocktaking' }).waitFor()
    await act('Go on with all ingest')
    await page.getByText('Nothing is on hold.').waitFor()
    expect(await eventsOf(address, 'HoldSet')).toMatchObject([{ metadata: { actor: 'olga' } }])
  })

  it('what is refused is told by name, and the choice stays', async () => {
    const { address } = await startNode({ home: useFolder().home })
    const page = await openTab()
    await page.goto(`${address}/ingest`)
    await page.getByLabel('Who you are').fill('ada')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Choose files first.').waitFor()
    await page.evaluate(dropping(['one.txt', 'two.txt']))
    await page.getByLabel('What the files are').selectOption('one file, as it is')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('.trouble').waitFor()
    await page.getByText('2 files, 18 bytes').waitFor()
    expect(await eventsOf(address, 'BatchSubmitted')).toEqual([])
  })

  const paths = ['', '/batches/2', '/batches/2/report', '/jobs/4', '/jobs/99']
  testOnEachScreen(
    'light',
    paths.map((path) => `/ingest${path}`),
  )
})
