import { join } from 'node:path'
import { v4 as uuid } from 'uuid'
import { expect, it } from 'vitest'
import { batches, files, jobs } from '../../../src/domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../../src/domain/kernel/read-views.ts'
import { launch, stop, until } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'
import { useLogKeeper, viewsOf } from './cluster.ts'
import { addressOf, gid, ownFolder, uploadFiles, useBucket, users } from './own-homes.ts'

/* Two nodes that share a bucket and nothing else: one takes over what the other received, once that is gone. */

const kafka = server('kafka')
const s3 = server('s3')
const isRoot = process.getuid?.() === 0
const command = join(import.meta.dirname, '../../../bin/fonds')

it.skipIf('absent' in kafka || 'absent' in s3 || !isRoot)(
  'what was uploaded to a node that is stopped, or killed over it, is taken in by the other',
  async () => {
    const bucket = (await useBucket())!
    const keeper = await useLogKeeper()
    const owns = users.map(ownFolder)
    const topicPrefix = `${uuid()}-`
    const start = (place: 0 | 1, roles: string) =>
      launch(
        command,
        ['start', '--port', '0', '--roles', roles],
        {
          HOME: owns[place]!,
          FONDS_HOME: join(owns[place]!, 'home'),
          FONDS_BROKER: `kafka://${'absent' in kafka ? '' : kafka.address}`,
          FONDS_TOPIC_PREFIX: topicPrefix,
          FONDS_EVENT_STORE: keeper.address,
          FONDS_PARTITIONS: '4',
          FONDS_CLAIM_SECONDS: '5',
          FONDS_IDLE_MIN_SECONDS: '1',
          FONDS_IDLE_MAX_SECONDS: '1',
          FONDS_INGEST_STORAGE: bucket.address,
          ...bucket.env,
        },
        '',
        { uid: users[place], gid },
      )

    // It receives, and works on nothing.
    const receiving = start(0, 'processors,reactions,projections,api')
    const address = await addressOf(receiving)
    const large = Buffer.alloc(17 * 1024 ** 2, 'letters of all kinds ')
    const handed = [
      await uploadFiles(address, { '100%20 letters.txt': 'Dear Ada' }),
      await uploadFiles(address, { 'a/1.txt': 'one', 'a/b/2.txt': 'two' }),
      await uploadFiles(address, { 'large.bin': large }),
    ]
    await stop(receiving)

    // It works on some of them, and is killed.
    const killed = start(0, 'processors,reactions,projections,workers,api')
    await addressOf(killed)
    await until('it works on something', () =>
      rowsIfFolded(viewsOf(join(owns[0]!, 'home')), jobs, {}).some(
        ({ holder, state }) => holder !== '' || state === 'completed',
      ),
    )
    killed.child.kill('SIGKILL')
    await killed.exit

    const other = start(1, 'processors,reactions,projections,workers,api')
    await addressOf(other)
    const views = viewsOf(join(owns[1]!, 'home'))
    const states = () =>
      handed.map((batch) => rowsIfFolded(views, batches, { where: [is('batch', batch)] })[0]?.state)
    await until('all of it is over', () =>
      states().every((state) => state === 'completed' || state === 'failed'),
    )
    expect(rowsIfFolded(views, jobs, {}).map(({ message }) => message)).toEqual([null, null, null])
    expect(states()).toEqual(['completed', 'completed', 'completed'])
    const stored = rowsIfFolded(views, files, {})
      .filter(({ path }) => path.startsWith('producer/'))
      .map(({ path, size }) => `${path} ${size}`)
    expect(stored.sort()).toEqual([
      'producer/100%20 letters.txt 8',
      'producer/a/1.txt 3',
      'producer/a/b/2.txt 3',
      `producer/large.bin ${large.length}`,
    ])
    await stop(other)
  },
)
