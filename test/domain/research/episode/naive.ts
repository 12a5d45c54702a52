import type {
  EpisodeCommand,
  Fail,
  Grant,
  NotePassed,
  Report,
} from '#src/domain/research/episode/commands.ts'
import { t } from './episodes.ts'

/*
 * The rules of one episode once more, as plainly as they can be said: lists that are searched, things changed in place,
 * nothing saved. It answers in words, one a fact or one for a refusal.
 */

interface NaiveLease {
  readonly id: string
  readonly clips: readonly string[]
  readonly notAfter: string
  readonly endsBy: string
  readonly grantedAt: string
  readonly minutes: number
  deadline: string
  holder?: string
  lapsed?: boolean
  heard?: boolean
  over?: 'ended' | 'expired'
}

const minutesOf = (at: string): number => (Date.parse(at) - Date.parse(t(0))) / 60_000

const isPassed =
  (at: string) =>
  (lease: NaiveLease): boolean =>
    !lease.over && at >= lease.deadline

export class NaiveEpisode {
  readonly leases: NaiveLease[] = []
  readonly done = new Set<string>()
  readonly #failed = new Map<string, number>()
  /** How often in a row one was taken and nothing was heard, and when last: those beside it count no more. */
  #silent = 0
  #silentAt = ''
  /** Minutes until which failures of the episode are one. */
  #quietUntil = Number.NEGATIVE_INFINITY

  free(clip: string): boolean {
    return !this.done.has(clip) && !this.leases.some((lease) => !lease.over && lease.clips.includes(clip))
  }

  answer(command: EpisodeCommand): readonly string[] {
    switch (command.type) {
      case 'Grant':
        return this.#grant(command)
      case 'Take':
        return this.#take(command.lease, command.researcher, command.at)
      case 'Report':
        return this.#report(command)
      case 'Fail':
        return this.#fail(command)
      case 'Extend':
        return this.#extend(command.lease, command.researcher, command.at)
      case 'Release':
      case 'Revoke':
        return this.#end(
          command.lease,
          command.type === 'Release' ? command.researcher : undefined,
          command.at,
        )
      case 'NoteExpired':
      case 'NoteLapsed':
        return this.#note(command)
      case 'Reopen': {
        const again = [...this.done].filter((clip) => command.clips?.includes(clip) ?? true)
        for (const clip of again) this.done.delete(clip)
        return again.length > 0 ? ['Reopened'] : []
      }
      default:
        return ['not in this model']
    }
  }

  #isSilent({ holder, heard, grantedAt }: NaiveLease): boolean {
    return holder !== undefined && !heard && grantedAt >= this.#silentAt
  }

  #find(id: string | undefined): NaiveLease | undefined {
    return this.leases.find((lease) => lease.id === id)
  }

  #writeOff(leases: readonly NaiveLease[], at: string, isHeard = false): string[] {
    return leases.filter(isPassed(at)).map((lease) => {
      lease.over = 'expired'
      const counts = !isHeard && this.#isSilent(lease)
      if (counts) this.#silentAt = at
      const row = counts ? ` silent ${++this.#silent}` : ''
      return `LeaseExpired ${lease.id}${row}`
    })
  }

  #grant({ leases, policy, at }: Grant): readonly string[] {
    const silent = this.leases.filter(isPassed(at)).some((lease) => this.#isSilent(lease))
    if (silent && this.#silent + 1 >= policy.attempts) return this.#writeOff(this.leases, at)
    const fresh = leases.filter(({ lease }) => !this.#find(lease))
    const clips = fresh.flatMap((lease) => lease.clips)
    const held = this.leases
      .filter((lease) => !lease.over && at < lease.deadline)
      .flatMap((lease) => lease.clips)
    const free = clips.every((clip) => !this.done.has(clip) && !held.includes(clip))
    if (!free || new Set(clips).size < clips.length) return ['pair-taken']
    if (fresh.length === 0) return []
    const words = this.#writeOff(this.leases, at)
    const minutes = policy.leaseSeconds / 60
    for (const { lease, clips } of fresh) {
      const from = minutesOf(at)
      const notAfter = t(from + policy.itemSeconds / 60)
      const endsBy = t(from + (policy.longestLeaseSeconds ?? 0) / 60)
      this.leases.push({
        id: lease,
        clips,
        grantedAt: at,
        minutes,
        notAfter,
        deadline: t(from + minutes),
        endsBy,
      })
      words.push(`LeaseGranted ${lease}`)
    }
    return words
  }

  #take(id: string, researcher: string, at: string): readonly string[] {
    const lease = this.#find(id)
    if (!lease) return ['unknown-lease']
    if (lease.over || at >= lease.deadline) return ['stale-item']
    if (lease.holder !== undefined) return lease.holder === researcher ? [] : ['taken-by-another']
    if (lease.lapsed || at >= lease.notAfter) return ['stale-item']
    return this.#begin(lease, researcher)
  }

  #begin(lease: NaiveLease, researcher: string): string[] {
    if (lease.holder !== undefined) return []
    lease.holder = researcher
    return [`WorkItemTaken ${lease.id} ${researcher}`]
  }

  #prolong(lease: NaiveLease, at: string): void {
    const wanted = [t(minutesOf(at) + lease.minutes), lease.endsBy].toSorted()[0]!
    if (wanted > lease.deadline) lease.deadline = wanted
  }

  #work(id: string | undefined, researcher: string, ends: boolean, at: string) {
    const lease = this.#find(id)
    if (id === undefined) return { before: [], effect: 'none no-lease' }
    if (!lease) return { before: [], effect: 'none unknown' }
    const written = this.#writeOff([lease], at, true)
    if (lease.over) return { before: written, effect: `none ${lease.over}` }
    const before = this.#begin(lease, researcher)
    lease.heard = true
    if (ends) lease.over = 'ended'
    else this.#prolong(lease, at)
    return { before, effect: ends ? 'revoked' : `extended ${lease.deadline}`, lease }
  }

  #report({ result, at }: Report): readonly string[] {
    const { clip, lease: id, researcher, final = false } = result
    const { before, effect, lease } = this.#work(id, researcher, final, at)
    const marks = [
      ...(this.done.has(clip) ? [' repeat'] : []),
      ...(lease && !lease.clips.includes(clip) ? [' outsideLease'] : []),
      ...(lease && lease.holder !== researcher ? [' notTheHolder'] : []),
    ]
    this.done.add(clip)
    this.#silent = 0
    this.#failed.delete('episode')
    this.#quietUntil = Number.NEGATIVE_INFINITY
    this.#failed.delete(clip)
    return [...before, `ClipResearched ${clip} ${effect}${marks.join('')}`]
  }

  #fail({ failure, policy, at }: Fail): readonly string[] {
    const { subject, clip, researcher, final = false } = failure
    const { before, effect } = this.#work(failure.lease, researcher, final || subject === 'episode', at)
    this.#silent = 0
    const words = `ResearchFailed ${subject} ${effect}`
    if (subject === 'clip' || (clip !== undefined && this.done.has(clip))) return [...before, words]
    const counted = this.#failed.get(clip ?? 'episode') ?? 0
    const isSame = subject === 'episode' && minutesOf(at) < this.#quietUntil
    const attempt = isSame ? counted : counted + 1
    this.#failed.set(clip ?? 'episode', attempt)
    if (subject === 'episode' && !isSame)
      this.#quietUntil =
        attempt < policy.attempts
          ? minutesOf(at) + (policy.backoffSeconds / 60) * 2 ** counted
          : Number.NEGATIVE_INFINITY
    return [...before, `${words} attempt ${attempt}${attempt >= policy.attempts ? ' parked' : ''}`]
  }

  #extend(id: string, researcher: string, at: string): readonly string[] {
    const lease = this.#find(id)
    if (!lease) return ['unknown-lease']
    if (lease.over || at >= lease.deadline) return ['lease-ended']
    if (lease.holder !== undefined && lease.holder !== researcher) return ['not-the-holder']
    const taken = this.#begin(lease, researcher)
    const before = lease.deadline
    this.#prolong(lease, at)
    if (lease.deadline === before) return taken
    lease.heard = true
    return [...taken, `LeaseExtended ${id} ${lease.deadline}`]
  }

  #end(id: string, researcher: string | undefined, at: string): readonly string[] {
    const lease = this.#find(id)
    if (!lease) return ['unknown-lease']
    if (lease.over) return []
    if (researcher !== undefined && lease.holder !== undefined && lease.holder !== researcher)
      return ['not-the-holder']
    const written = this.#writeOff([lease], at, researcher !== undefined)
    if (written.length > 0) return written
    lease.over = 'ended'
    if (researcher !== undefined) this.#silent = 0
    return [`${researcher === undefined ? 'LeaseRevoked' : 'LeaseReleased'} ${id}`]
  }

  #note({ type, lease: id, at }: NotePassed): readonly string[] {
    const lease = this.#find(id)
    if (!lease || lease.over) return []
    if (type === 'NoteExpired') return this.#writeOff([lease], at)
    if (lease.holder !== undefined || lease.lapsed || at < lease.notAfter) return []
    lease.lapsed = true
    return [`WorkItemLapsed ${id}`]
  }
}
