import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../infra/local/kafka/free-port.ts'
import { tone, wav } from '../../../packages/sound/test/decode/tones.ts'
import { until, useFolder } from '../../e2e/run-fonds.ts'
import { nginxIsAbsent, useNginx } from '../nginx.ts'
import {
  barriersIn,
  browserIsAbsent,
  bytesBelow,
  openTab,
  startDemo,
  startNode,
  testOnEachScreen,
  useImage,
} from './browser.ts'

useImage()

const eventsOf = async (address: string, stream: string): Promise<readonly unknown[]> => {
  const response = await fetch(`${address}/api/v1/streams/${stream}`)
  return ((await response.json()) as { events: unknown[] }).events
}

describe.skipIf(browserIsAbsent)('research', () => {
  it('from progress to an episode, a finding that is heard and rejected, and its event', async () => {
    const { address } = await startDemo()
    const page = await openTab()
    await page.goto(address)
    await page
      .getByRole('navigation', { name: 'Pages', exact: true })
      .getByRole('link', { name: 'Research' })
      .click()
    await page.getByText('12 of 12 pairs listened to').waitFor()
    await page.getByRole('link', { name: 'Episodes' }).click()
    await page.getByRole('link', { name: 'episode-2' }).click()
    await page.getByRole('button', { name: 'The station call at 0:00:30.5' }).click()
    const heardAt = () => page.evaluate(`document.querySelector('audio').currentTime`)
    await expect.poll(heardAt).toBeGreaterThanOrEqual(28.5)
    await page.getByText('nobody judged it yet').waitFor()
    expect(await barriersIn(page)).toEqual([])
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await expect.poll(heardAt).toBeGreaterThanOrEqual(31.7)
    await page.getByRole('heading', { name: 'What the host always says at 0:00:33.7' }).waitFor()

    await page.getByRole('button', { name: 'Reject' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who you are').fill('ada')
    await dialog.getByLabel('Why').fill('it is a guest')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await dialog.getByText('Done.', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('rejected by ada').waitFor()
    expect((await eventsOf(address, 'episode-episode-2')).at(-1)).toMatchObject({
      type: 'FindingJudged',
      data: { clip: 'catch-phrase', verdict: 'rejected', reason: 'it is a guest' },
      metadata: { actor: 'ada' },
    })

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'As labels for Audacity' }).click(),
    ])
    const labels = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    expect(labels.map((line) => line.split('\t')[2])).toEqual([
      'The opening tune',
      'The station call',
      'What the host always says',
    ])
  })

  it('takes a clip that a person has, and looks for it', async () => {
    const { address } = await startDemo()
    const page = await openTab()
    await page.goto(`${address}/research/clips`)
    await page.getByText('Look for another clip').click()
    const file = { name: 'a-tone.wav', mimeType: 'audio/wav', buffer: wav(8000, [tone(8000, 1, 440)]) }
    await page.getByLabel('Sound: mp3, wav, flac or ogg').setInputFiles(file)
    expect(await page.getByLabel('Its id').inputValue()).toBe('a-tone')
    await page.getByLabel('Who you are').fill('ada')
    await page.getByRole('button', { name: 'Send the clip' }).click()
    await page.getByText('is looked for from now on').waitFor()
    await page
      .getByRole('region', { name: 'Clips, as they are looked for' })
      .getByText('a-tone')
      .first()
      .waitFor()
    expect(await eventsOf(address, 'clip-a-tone')).toMatchObject([
      { type: 'Curated', data: { curator: 'ada' } },
    ])

    await page
      .getByLabel('Sound: mp3, wav, flac or ogg')
      .setInputFiles({ name: 'no.wav', mimeType: 'audio/wav', buffer: Buffer.from('<html>') })
    await page.getByRole('button', { name: 'Send the clip' }).click()
    await page.getByText('the body is a web page').waitFor()
  })

  it('sends again a clip that a killed server cut off: it counts once, and half of it never', async () => {
    const first = await startDemo()
    const { home } = first
    const page = await openTab()
    await page.goto(`${first.address}/research/clips`)
    await page.getByText('Look for another clip').click()
    const sound = wav(44_100, [tone(44_100, 120, 440)])
    await page
      .getByLabel('Sound: mp3, wav, flac or ogg')
      .setInputFiles({ name: 'long-tone.wav', mimeType: 'audio/wav', buffer: sound })
    await page.getByLabel('Who you are').fill('ada')
    const network = await page.context().newCDPSession(page)
    const at = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
      })
    await at(1 << 20)
    await page.getByRole('button', { name: 'Send the clip' }).click()
    const clips = join(home, 'clips')
    const before = bytesBelow(clips)
    await expect.poll(() => bytesBelow(clips) - before).toBeGreaterThan(1 << 18)
    first.child.kill('SIGKILL')
    await first.exit
    await page.getByText('The connection was lost.').waitFor()
    expect(bytesBelow(clips) - before).toBeLessThan(sound.length)
    await at(-1)
    const { address } = await startNode({ home }, new URL(first.address).port)
    await page.getByText('is looked for from now on').waitFor()
    await page
      .getByRole('region', { name: 'Clips, as they are looked for' })
      .getByText('long-tone')
      .first()
      .waitFor()
    expect(await eventsOf(address, 'clip-long-tone')).toMatchObject([{ type: 'Curated' }])
    const whole = readdirSync(clips).filter((name) => name.endsWith('.wav'))
    expect(whole.map((name) => statSync(join(clips, name)).size)).toContain(sound.length)
  })

  it.skipIf(nginxIsAbsent)('plays the sound of another server, from the place of a finding on', async () => {
    const { folder } = useFolder()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'far.wav'), wav(8000, [tone(8000, 120, 440)]))
    const port = await freePort()
    useNginx(port).start(`location / { root ${folder}; }`)
    const mediaUri = `http://127.0.0.1:${port}/far.wav`
    await until('nginx answers', () =>
      fetch(mediaUri, { method: 'HEAD' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const { address } = await startDemo(['--media-hosts', '127.0.0.1'])
    const answer = await fetch(`${address}/api/v1/topics/fonds.research.episodes/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/cloudevents+json' },
      body: JSON.stringify({
        ...{ specversion: '1.0', id: 'far', source: 'test', type: 'episode.curated' },
        data: {
          ...{ id: 'far', title: 'Far', mediaUri, mediaType: 'audio/wav' },
          ...{ curator: 'ada', curatedAt: '2026-01-31T12:00:00.000Z' },
        },
      }),
    })
    expect(answer.ok).toBe(true)
    const page = await openTab()
    await page.goto(`${address}/research/episodes`)
    await page.getByRole('link', { name: 'far' }).click()
    await page.locator('audio').waitFor()
    await page.evaluate(
      `document.querySelector('audio').currentTime = 90; document.querySelector('audio').play()`,
    )
    const heardAt = () => page.evaluate(`document.querySelector('audio').currentTime`)
    await expect.poll(heardAt).toBeGreaterThan(90.2)
  })

  const paths = ['', '/episodes', '/episodes/episode-2', '/clips', '/findings', '/findings?q=tune']
  testOnEachScreen(
    'dark',
    paths.map((path) => `/research${path}`),
  )
})
