import { describe, expect, test } from 'vitest'
import { groupsOf } from '../../src/search/groups.ts'
import { hop } from '../../src/search/settings.ts'
import { recordingAt } from './sounds.ts'

describe('groups', () => {
  const clip = (id: string, samples: number) => ({ id, recording: recordingAt('', samples) })

  test('a share for each thread, of like length, at most 16', () => {
    const clips = [5, 1, 4, 2, 3].map((n) => clip(String(n), n * 1000))
    const ids = (threads: number) =>
      groupsOf(clips, threads).map((group) => group.map(({ id }) => id).join(''))
    expect(ids(1)).toEqual(['12345'])
    expect(ids(2)).toEqual(['123', '45'])
    expect(ids(9)).toEqual(['1', '2', '3', '4', '5'])
    const many = Array.from({ length: 40 }, (_, i) => clip(String(i), 1000))
    expect(groupsOf(many, 1).map((group) => group.length)).toEqual([16, 16, 8])
  })

  test('drift: each speed takes memory, so there are fewer in a group', () => {
    const many = Array.from({ length: 8 }, (_, i) => clip(String(i), 24_000))
    expect(groupsOf(many, 1, 0.01).map((group) => group.length)).toEqual([3, 3, 2])
  })

  test('what is long goes alone: memory is bounded', () => {
    const sizes = [400, 1, 400, 100].map((hops, i) => clip(String(i), hops * hop))
    expect(groupsOf(sizes, 1).map((group) => group.map(({ id }) => id))).toEqual([['1', '3', '0'], ['2']])
  })
})
