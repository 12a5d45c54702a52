import type { ClipEvent } from '#src/domain/research/clip/events.ts'
import type { CurationEvent } from '#src/domain/research/curating.ts'
import type { EpisodeEvent, LeaseEffect } from '#src/domain/research/episode/events.ts'
import type { PolicyEvent } from '#src/domain/research/policy/events.ts'
import { defaultPolicy, type Policy } from '#src/domain/research/policy/policy.ts'
import type { ResearcherEvent } from '#src/domain/research/researcher/events.ts'
import type { Choice, LeaseTerms } from '#src/domain/research/selection/scheduler-state.ts'

export type LogEntry =
  | { readonly of: 'episode'; readonly id: string; readonly event: EpisodeEvent }
  | { readonly of: 'clip'; readonly id: string; readonly event: ClipEvent }
  | { readonly of: 'researcher'; readonly id: string; readonly event: ResearcherEvent }
  | { readonly of: 'desk'; readonly id: 'research'; readonly event: PolicyEvent }

interface Item {
  readonly id: string
  curator?: string
  first: string
  own: number
  person: number | null
  pinned: boolean
  withdrawn: boolean
  excluded: boolean
  unheard?: boolean
  failure?: { readonly retryAt: string | undefined } | undefined
}

interface Held extends LeaseTerms {
  deadline: string
  offered: boolean
  held: boolean
}

/** The rules by the letter: plain lists, filtered and sorted anew for every question. */
export class NaiveScheduler {
  now = ''
  policy: Policy = defaultPolicy
  episodes: Item[] = []
  clips: Item[] = []
  results: { episode: string; clip: string; engine: string }[] = []
  leases: Held[] = []
  pairFailures: { episode: string; clip: string; retryAt: string | undefined }[] = []
  waiting: { clip: string; at: string }[] = []
  pinnedCurators: string[] = []
  excludedCurators: string[] = []
  researchers = new Map<string, { until: string; gone: boolean; draining: boolean; blocked: boolean }>()

  fold(told: LogEntry): void {
    if (told.of === 'episode') this.#episode(told.id, told.event)
    if (told.of === 'clip') this.#clip(told.id, told.event)
    if (told.of === 'researcher') this.#researcher(told.id, told.event)
    if (told.of === 'desk') this.#policy(told.event)
    this.#letGo(this.now)
  }

  advance(now: string): void {
    if (now > this.now) this.now = now
    this.#letGo(this.now)
  }

  hold(terms: LeaseTerms): void {
    this.leases.push({ ...terms, offered: true, held: true })
  }

  unhold(lease: string): void {
    this.leases = this.leases.filter((one) => one.lease !== lease || !one.held)
  }

  forgetHeld(): void {
    this.leases = this.leases.filter((one) => !one.held)
  }

  live(): Held[] {
    return this.leases.filter((lease) => this.now < lease.deadline)
  }

  readings() {
    return {
      researchers: [...this.researchers.values()].filter(
        ({ until, gone, draining, blocked }) => this.now < until && !gone && !draining && !blocked,
      ).length,
      queued: this.live().filter(({ offered, notAfter }) => offered && this.now < notAfter).length,
    }
  }

  /** Nothing else of its curation comes before that in a stream. */
  isCurated(id: string): boolean {
    return [...this.episodes, ...this.clips].some((item) => item.id === id && item.first !== '')
  }

  isFree({ curator, withdrawn, excluded, unheard, failure }: Item): boolean {
    if (curator === undefined || withdrawn || excluded || unheard) return false
    if (this.excludedCurators.includes(curator)) return false
    return !failure || (failure.retryAt !== undefined && this.now >= failure.retryAt)
  }

  isWaiting(clip: string): boolean {
    return this.waiting.some((one) => one.clip === clip)
  }

  /** Neither done, nor leased, nor held back by its own failures. */
  isOpen(episode: string, clip: string): boolean {
    const same = (pair: { episode: string; clip: string }) => pair.episode === episode && pair.clip === clip
    return (
      !this.results.some(same) &&
      !this.live().some((lease) => lease.episode === episode && lease.clips.includes(clip)) &&
      !this.pairFailures.some(
        (failure) => same(failure) && (failure.retryAt === undefined || this.now < failure.retryAt),
      )
    )
  }

  /** Episodes with an open clip, in order. */
  candidates(): string[] {
    const clips = this.clips.filter((clip) => this.isFree(clip) && !this.isWaiting(clip.id))
    return this.episodes
      .filter((episode) => this.isFree(episode) && clips.some((clip) => this.isOpen(episode.id, clip.id)))
      .sort(this.#byOrder(this.policy.agingSeconds))
      .map(({ id }) => id)
  }

  select(): Choice | undefined {
    const [episode] = this.candidates()
    if (episode === undefined) return undefined
    const open = this.clips
      .filter((clip) => this.isFree(clip) && this.isOpen(episode, clip.id))
      .sort(this.#byOrder())
      .map(({ id }) => id)
    const clips = [
      ...open.filter((clip) => !this.isWaiting(clip)),
      ...open.filter((clip) => this.isWaiting(clip)),
    ]
    return { episode, clips: clips.slice(0, this.policy.maxClips) }
  }

  #byOrder(aging?: number) {
    const value = ({ own, person }: Item): number => person ?? own
    const isFirst = ({ pinned, curator }: Item) => pinned || this.pinnedCurators.includes(curator ?? '')
    return (a: Item, b: Item): number => {
      if (isFirst(a) !== isFirst(b)) return isFirst(a) ? -1 : 1
      if (aging !== undefined) {
        const weight = (item: Item) => value(item) * aging * 1000 - Date.parse(item.first)
        if (weight(a) !== weight(b)) return weight(b) - weight(a)
      } else {
        if (value(a) !== value(b)) return value(b) - value(a)
        if (a.first !== b.first) return a.first > b.first ? -1 : 1
      }
      return a.id < b.id ? -1 : 1
    }
  }

  #item(items: Item[], id: string): Item {
    const known = items.find((item) => item.id === id)
    if (known) return known
    const item = { id, first: '', own: 0, person: null, pinned: false, withdrawn: false, excluded: false }
    items.push(item)
    return item
  }

  #curate(item: Item, { type, data }: CurationEvent): void {
    if (type === 'Curated') item.first = data.firstCuratedAt
    if (type === 'Curated' || type === 'Amended') {
      item.curator = data.curator
      item.own = data.priority
      item.withdrawn = false
    }
    if (type === 'Withdrawn') item.withdrawn = true
    if (type === 'Prioritised') item.person = data.priority
    if (type === 'Pinned' || type === 'Unpinned') item.pinned = type === 'Pinned'
    if (type === 'Excluded' || type === 'Included') item.excluded = type === 'Excluded'
  }

  #clip(id: string, event: ClipEvent): void {
    const clip = this.#item(this.clips, id)
    if (event.type === 'ClipFailed') clip.failure = { retryAt: event.data.retryAt }
    else if (event.type === 'Retried') clip.failure = undefined
    else this.#curate(clip, event)
    if (event.type !== 'Curated') return
    this.#letGo(event.data.at)
    if (!this.isWaiting(id)) this.waiting.push({ clip: id, at: event.data.at })
    this.#letGo(event.data.at)
  }

  #letGo(time: string): void {
    const [first] = this.waiting
    if (!first) return
    const { batchClips, batchSeconds } = this.policy
    const due = new Date(Date.parse(first.at) + batchSeconds * 1000).toISOString()
    if (this.waiting.length >= batchClips || due <= time) this.waiting = []
  }

  #episode(id: string, event: EpisodeEvent): void {
    const episode = this.#item(this.episodes, id)
    const { type, data } = event
    switch (type) {
      case 'LeaseGranted': {
        const { lease, clips, deadline, notAfter } = data
        this.#end(lease)
        this.leases.push({ lease, episode: id, clips, deadline, notAfter, offered: true, held: false })
        return
      }
      case 'WorkItemTaken':
      case 'WorkItemLapsed':
        for (const lease of this.leases) if (lease.lease === data.lease) lease.offered = false
        return
      case 'LeaseExtended':
        this.#extend(data.lease, data.deadline)
        return
      case 'LeaseExpired':
      case 'LeaseReleased':
      case 'LeaseRevoked':
        this.#end(data.lease)
        if (type === 'LeaseReleased') episode.unheard = false
        if (type === 'LeaseExpired') episode.unheard ||= (data.silent ?? 0) >= this.policy.attempts
        return
      case 'ClipResearched': {
        const pair = { episode: id, clip: data.clip }
        this.#item(this.clips, data.clip)
        if (!this.results.some((one) => one.episode === id && one.clip === data.clip))
          this.results.push({ ...pair, engine: `${data.engine.name} ${data.engine.version}` })
        Object.assign(episode, { failure: undefined, unheard: false })
        this.#forget(id, data.clip)
        this.#affect(data.lease, data.effect)
        return
      }
      case 'ResearchFailed':
        this.#affect(data.lease, data.effect)
        episode.unheard = false
        if (data.attempt === undefined) return
        if (data.subject === 'episode') episode.failure = { retryAt: data.retryAt }
        if (data.subject === 'pair' && data.clip !== undefined) {
          this.#item(this.clips, data.clip)
          this.#forget(id, data.clip)
          this.pairFailures.push({ episode: id, clip: data.clip, retryAt: data.retryAt })
        }
        return
      case 'Retried':
        Object.assign(episode, { failure: undefined, unheard: false })
        this.pairFailures = this.pairFailures.filter((failure) => failure.episode !== id)
        return
      case 'Reopened':
        this.results = this.results.filter(
          (result) =>
            result.episode !== id ||
            !(data.engines?.includes(result.engine) ?? true) ||
            !(data.clips?.includes(result.clip) ?? true),
        )
        return
      case 'FindingJudged':
        return
      default:
        this.#curate(episode, event)
    }
  }

  #forget(episode: string, clip: string): void {
    this.pairFailures = this.pairFailures.filter((one) => one.episode !== episode || one.clip !== clip)
  }

  #affect(lease: string | undefined, effect: LeaseEffect): void {
    if (effect.kind === 'extended') this.#extend(lease, effect.deadline)
    if (effect.kind === 'revoked') this.#end(lease)
  }

  #extend(id: string | undefined, deadline: string): void {
    for (const lease of this.leases)
      if (lease.lease === id && deadline > lease.deadline) lease.deadline = deadline
  }

  #end(id: string | undefined): void {
    this.leases = this.leases.filter((lease) => lease.lease !== id)
  }

  #researcher(id: string, { type, data }: ResearcherEvent): void {
    const known = this.researchers.get(id) ?? { until: '', gone: true, draining: false, blocked: false }
    this.researchers.set(id, known)
    if (type === 'ResearcherRegistered') known.draining = false
    if (type === 'ResearcherRegistered' || type === 'ResearcherBeat') {
      known.until = data.presentUntil
      known.gone = false
    }
    if (type === 'ResearcherDraining') known.draining = true
    if (type === 'ResearcherGone') Object.assign(known, { gone: true, draining: false })
    if (type === 'ResearcherBlocked') known.blocked = true
    if (type === 'ResearcherUnblocked') known.blocked = false
  }

  #policy({ type, data }: PolicyEvent): void {
    if (type === 'PolicySet') {
      this.#letGo(data.at)
      this.policy = data.policy
      this.#letGo(data.at)
    }
    const without = (list: string[], one: string) => list.filter((curator) => curator !== one)
    if (type === 'CuratorPinned') this.pinnedCurators.push(data.curator)
    if (type === 'CuratorUnpinned') this.pinnedCurators = without(this.pinnedCurators, data.curator)
    if (type === 'CuratorExcluded') this.excludedCurators.push(data.curator)
    if (type === 'CuratorIncluded') this.excludedCurators = without(this.excludedCurators, data.curator)
    if (type === 'WaitingClipsReleased') this.waiting = []
  }
}
