import { expect, test } from 'vitest'
import type { Occurrence } from '#src/projections/research/questions/answers.ts'
import { timelineLabels } from '#src/projections/research/questions/timeline-labels.ts'

const place = (offset: number, more: Partial<Occurrence> = {}): Occurrence => ({
  episode: 'show',
  episodeTitle: 'The show',
  clip: 'gurgle',
  clipTitle: 'A gurgle',
  offset: offset * 1e9,
  score: 0.9,
  duration: 1.5e9,
  link: 'https://radio.example/show.mp3',
  ...more,
})

test('P19: start, end and label of each place, in seconds, with tabs between', () => {
  expect(timelineLabels({ gaps: [], occurrences: [place(2), place(60.25)] })).toBe(
    '2.000000\t3.500000\tA gurgle\n60.250000\t61.750000\tA gurgle\n',
  )
})

test('what a person rejected is left out', () => {
  const occurrences = [place(1, { verdict: 'rejected' }), place(2, { verdict: 'confirmed' })]
  expect(timelineLabels({ gaps: [], occurrences })).toBe('2.000000\t3.500000\tA gurgle\n')
})

test('what cannot be decoded has a label, in its place', () => {
  const gaps = [{ offset: 10e9, duration: 0.5e9 }]
  expect(timelineLabels({ gaps, occurrences: [place(2), place(60.25)] }).split('\n')[1]).toBe(
    '10.000000\t10.500000\tcannot be decoded',
  )
})

test('a title cannot make a line or a column of its own', () => {
  expect(timelineLabels({ gaps: [], occurrences: [place(0, { clipTitle: 'a\tb\n9\t9\tc' })] })).toBe(
    '0.000000\t1.500000\ta b 9 9 c\n',
  )
})
