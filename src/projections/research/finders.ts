import { clips, episodes, leases, researchers } from '../../domain/research/views.ts'
import { beginning, findRows } from '../runtime/find-rows.ts'
import { commandLine, type Finder, pageAt } from '../runtime/finder.ts'
import { research } from './projection.ts'

const episodesFinder: Finder = {
  kind: 'research-episodes',
  title: 'Episodes',
  projection: research,
  find: ({ views }, { text, limit }) =>
    findRows(episodes, {
      views,
      limit,
      ways: [
        beginning('episode', text),
        { words: text, onlyNow: 'titles of episodes' },
        { ...beginning('mediaUri', text), onlyNow: 'addresses of recordings' },
      ],
      hitOf: ({ episode, title, withdrawnAt, curator }) => ({
        id: episode,
        title,
        note: withdrawnAt === null ? `of ${curator}` : 'withdrawn',
        command: commandLine('research timeline', episode),
        page: pageAt`/research/episodes/${episode}`,
        isExact: episode === text || title === text,
      }),
    }),
}

const clipsFinder: Finder = {
  kind: 'research-clips',
  title: 'Clips',
  projection: research,
  find: ({ views }, { text, limit }) =>
    findRows(clips, {
      views,
      limit,
      ways: [
        beginning('clip', text),
        { words: text, onlyNow: 'titles of clips' },
        { ...beginning('mediaUri', text), onlyNow: 'addresses of recordings' },
      ],
      hitOf: ({ clip, title, withdrawnAt, curator }) => ({
        id: clip,
        title,
        note: withdrawnAt === null ? `of ${curator}` : 'withdrawn',
        command: commandLine('research findings --clip', clip),
        page: pageAt`/research/findings?clip=${clip}`,
        isExact: clip === text || title === text,
      }),
    }),
}

const researchersFinder: Finder = {
  kind: 'research-researchers',
  title: 'Researchers',
  projection: research,
  find: ({ views }, { text, limit }) =>
    findRows(researchers, {
      views,
      limit,
      ways: [beginning('researcher', text)],
      hitOf: ({ researcher, goneAt, blocked }) => ({
        id: researcher,
        note: blocked ? 'blocked' : goneAt === null ? 'present' : 'gone',
        command: commandLine('history', researcher),
        page: pageAt`/things/${researcher}`,
        isExact: researcher === text,
      }),
    }),
}

const leasesFinder: Finder = {
  kind: 'research-leases',
  title: 'Leases',
  projection: research,
  find: ({ views }, { text, limit }) =>
    findRows(leases, {
      views,
      limit,
      ways: [beginning('lease', text)],
      hitOf: ({ lease, episode, state, researcher }) => ({
        id: lease,
        title: episode,
        note: researcher === null ? state : `${state}, ${researcher}`,
        command: commandLine('query research-leases --where', `lease=${lease}`),
        page: pageAt`/research/episodes/${episode}`,
        isExact: lease === text,
      }),
    }),
}

export const researchFinders: readonly Finder[] = [
  episodesFinder,
  clipsFinder,
  researchersFinder,
  leasesFinder,
]
