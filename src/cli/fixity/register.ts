import { Option } from 'commander'
import { type RegisterIn, runningFrom } from '../context.ts'
import { addExamples } from '../examples.ts'
import { byteAmount, collect, wholeNumber } from '../numbers.ts'
import { userName } from '../user-name.ts'

/** The sub-commands that record or read content. */
export const register: RegisterIn = (fixity, context) => {
  const me = userName()

  const add = fixity
    .command('add')
    .summary('record a folder, or a bucket, of content')
    .description(
      'Walks a tree. Bags (BagIt) and checksum files (*.md5, SHA256SUMS, …) are the record; other files get a first ' +
        'reading as their baseline. Run it again to add what is new: what is recorded stays as it is. Exit code 1 when ' +
        'a manifest says what cannot be used, or names what is not there.',
    )
    .argument('<folder>', 'a folder, or s3://bucket/prefix')
    .option('--store <name>', "the store's name; else the folder's, or that of bucket and prefix")
    .option('--interval-days <n>', 'each item is due again within so many days (90)', wholeNumber)
    .option(
      '--lag-seconds <n>',
      'how long a record of a change may be under way: the wait before a mismatch counts. 0 unless others record ' +
        'changes of this folder too',
      wholeNumber,
    )
    .option(
      '--away-seconds <n>',
      'how long the folder may be empty, or another one, before its content counts as gone (86400: a day)',
      wholeNumber,
    )
    .option(
      '--bytes-per-day <amount>',
      'how much of it its checks may read in a day of UTC, such as 500GB; the rest waits for the next day. No limit unless given',
      byteAmount,
    )
    .addOption(
      new Option(
        '--new-files <what>',
        '`fonds start` compares the store with its record once a day: ask names new files, take-in records them, off compares nothing. ask for a new store',
      ).choices(['ask', 'take-in', 'off']),
    )
    .option('--replica', 'there is a good second copy to mend from')
    .option(
      '--exclude <pattern>',
      'a name or a path from the root that is not recorded, such as "*.tmp" or "work/cache"; may be repeated. ' +
        'Lines of .fondsignore in the folder, and litter such as .DS_Store, are left out, too, unless a manifest names it',
      collect,
    )
    .option(
      '--inventory <manifest>',
      'list the bucket by an S3 Inventory in CSV, and not by requests: s3://bucket/path/manifest.json, or the path of a copy',
    )
    .option(
      '--accept-moves',
      'what is not there, and has the bytes of one new file alone, is expected at its new name only',
    )
    .option('--actor <name>', 'who adds it', me)
    .action(runningFrom(context, () => import('./run-add.ts')))
  addExamples(add, [
    ['fixity add /srv/archive', 'records everything below it, as the store "archive"'],
    ['fixity add /srv/archive --exclude "*.tmp" --exclude work/cache', 'but for these'],
    ['fixity add s3://archive/main', 'what the bucket holds below main/, as the store "archive-main"'],
    [
      'fixity add s3://archive/main --inventory s3://logs/archive/daily/2026-05-01T00-00Z/manifest.json',
      'the same, listed by an inventory',
    ],
    ['fixity add s3://archive/main --bytes-per-day 500GB', 'its checks read at most so much in a day'],
    ['fixity add ~/bags --store bags --interval-days 60', 'each item is checked within 60 days'],
  ])

  const check = fixity
    .command('check')
    .summary('check now, ahead of the schedule')
    .description(
      'Reads every byte in scope in this process, beside other workers, and tells what is new, missing and moved. Exit code 1 when anything ' +
        'failed, is suspect, moved, could not be compared, or waits for the byte budget of the next day; 3 when a store is away.',
    )
    .argument('[store]')
    .option('--prefix <path>', 'only what is below')
    .option('--item <path>', 'only this one')
    .option(
      '--version-id <id>',
      'of the item of a bucket this version, current or not: evidence about that version alone',
    )
    .option(
      '--exclude <pattern>',
      'what is not told as new, as of `fixity add`; may be repeated. Lines of .fondsignore and litter are not, either',
      collect,
    )
    .option(
      '--inventory <manifest>',
      'tell what is new and missing by an S3 Inventory of the bucket, as of `fixity add`; needs the store',
    )
    .option('--estimate', 'check nothing: tell how many items, bytes and requests to a bucket it would take')
    .option('--wait', 'stay for last looks that are due later, and for the next day of a byte budget')
    .option('--actor <name>', 'who asks', me)
    .action(runningFrom(context, () => import('./run-check.ts')))
  addExamples(check, [
    ['fixity check', 'everything'],
    ['fixity check archive --prefix letters/1912/', 'one folder'],
    ['fixity check archive --item letters/1912/03.tif', 'one item'],
    ['fixity check archive-main --estimate', 'what a check of the bucket would cost'],
  ])

  const moveStore = fixity
    .command('move-store')
    .summary('give a store another root, once its content there is proven')
    .description(
      'Copies nothing: copy the content first, with any tool. Reads every recorded item at the present root and at the new one, and compares ' +
        'their bytes; what is missing or damaged at the present root must be as recorded at the new one. The store moves only when every item is proven, ' +
        'and keeps its items, findings and history. Exit code 1 when one is not, and nothing has changed.',
    )
    .argument('<store>')
    .argument('<root>', 'a folder, or s3://bucket/prefix')
    .requiredOption('--reason <text>', 'why it moves')
    .option('--actor <name>', 'who moves it', me)
    .action(runningFrom(context, () => import('./run-move-store.ts')))
  const restore = fixity
    .command('restore')
    .summary('have archived objects of a bucket restored, so that they can be read')
    .description(
      'Asks the bucket to restore the recorded objects in scope that are archived (GLACIER, DEEP_ARCHIVE, the archive tiers of INTELLIGENT_TIERING), ' +
        'which costs money, and records who wanted it and why. What is restored, or being restored, is not asked for again. Hours later the bytes can be read: ' +
        'the next check reads them. Exit code 1 when an object was refused; 3 when the bucket cannot be reached.',
    )
    .argument('<store>')
    .option('--prefix <path>', 'only what is below')
    .option('--item <path>', 'only this one')
    .option('--days <n>', 'for how many days the restored copies are kept, and paid for', wholeNumber)
    .addOption(
      new Option(
        '--tier <tier>',
        'how soon, and at what price: Bulk is the cheapest, Expedited the quickest',
      ).choices(['Standard', 'Bulk', 'Expedited']),
    )
    .option('--estimate', 'ask for nothing: tell how many objects and bytes are archived')
    .option('--reason <text>', 'why')
    .option('--actor <name>', 'who asks', me)
    .action(runningFrom(context, () => import('./run-restore.ts')))
  addExamples(restore, [
    ['fixity restore archive-main --estimate', 'what would be restored'],
    [
      'fixity restore archive-main --prefix letters/ --days 10 --tier Bulk --reason "a check of all"',
      'one folder',
    ],
    [
      'fixity restore archive-main --item letters/03.tif --days 2 --tier Standard --reason "a reader asks"',
      'one item',
    ],
  ])

  addExamples(moveStore, [
    ['fixity move-store archive /mnt/new/archive --reason "a larger disk"', 'from one folder to another'],
    ['fixity move-store archive s3://archive/main --reason "the disk is full"', 'from a folder to a bucket'],
  ])
}
