import * as t from 'io-ts'
import type { IndexingCommand } from '../../domain/indexing/commands.ts'
import { decider } from '../../domain/indexing/decide.ts'
import { type ArchiveFile, FileName, fileId, fileStream, RepositoryName } from '../../domain/indexing/file.ts'
import { KnownKind } from '../../domain/indexing/kind.ts'
import { Day } from '../../domain/kernel/day.ts'
import { operatorCommand } from '../runtime/operator-command.ts'
import { routeTo } from '../runtime/route.ts'

const codec = t.type({ repository: RepositoryName, name: FileName })
const example = { repository: 'main', name: '17-20260131120000-00001.warc.gz' }

const onFile = (command: IndexingCommand) => routeTo(decider, fileStream(command.file), command)
const only = ({ repository, name }: ArchiveFile): { readonly file: ArchiveFile } => ({
  file: { repository, name },
})

/** Operators' commands of indexing. Each needs an actor and a reason. */
export const indexingCommands = [
  operatorCommand({
    name: 'indexing.rescue',
    description: 'Puts a parked file back into the queue; its count of failures is zero again.',
    codec,
    example,
    route: (input, by) => onFile({ type: 'Rescue', ...only(input), ...by }),
    short: {
      description: 'put a parked file back into the queue, its count of failures at zero',
      arguments: ['repository', 'name'],
      done: (input) => `${fileId(input)} is in the queue again`,
      examples: [[`rescue main ${example.name} --reason "the disk was mended"`, 'after the cause is gone']],
    },
  }),
  operatorCommand({
    name: 'indexing.reset',
    description:
      'Has a file indexed anew, whatever came of it before: its new lines replace the old ones. With a kind for a file whose name says none; a withdrawn file comes back; a conflict of two places is settled.',
    codec: t.intersection([codec, t.partial({ kind: KnownKind })]),
    example,
    route: (input, by) => onFile({ type: 'Reset', ...only(input), kind: input.kind, ...by }),
  }),
  operatorCommand({
    name: 'indexing.salvage',
    description:
      'Has a damaged file that failed, or is parked, read as far as it is good: each record that is whole gets its line, and what is lost is told byte for byte.',
    codec,
    example,
    route: (input, by) => onFile({ type: 'Salvage', ...only(input), ...by }),
  }),
  operatorCommand({
    name: 'indexing.park',
    description: 'Takes a file from the queue until a person rescues it.',
    codec,
    example,
    route: (input, by) => onFile({ type: 'Park', ...only(input), ...by }),
  }),
  operatorCommand({
    name: 'indexing.withdraw',
    description: 'Takes a file, and all its lines, from the index, and keeps it out.',
    codec,
    example,
    route: (input, by) => onFile({ type: 'Withdraw', ...only(input), ...by }),
  }),
  operatorCommand({
    name: 'indexing.set-embargo',
    description:
      'Shows nothing of a file until a day (UTC) is over: no answer has a capture of it. It holds for every answer that is begun after its outcome is told.',
    codec: t.intersection([codec, t.type({ until: Day })]),
    example: { ...example, until: '2099-12-31' },
    route: (input, by) => onFile({ type: 'SetEmbargo', ...only(input), until: input.until, ...by }),
  }),
  operatorCommand({
    name: 'indexing.lift-embargo',
    description: 'Ends the embargo of a file now: its captures are as rules of access say.',
    codec,
    example,
    route: (input, by) => onFile({ type: 'LiftEmbargo', ...only(input), ...by }),
  }),
]
