/** Questions about matching by name, in the order of its help. Each is loaded when it is asked: a start loads no other one. */
export const matchingQuestions = {
  search: async () => (await import('../../projections/matching/questions/search.ts')).searchQuestion,
  graph: async () => (await import('../../projections/matching/questions/graph-question.ts')).graphQuestion,
  why: async () => (await import('../../projections/matching/questions/why-question.ts')).whyQuestion,
  compare: async () =>
    (await import('../../projections/matching/questions/records-question.ts')).compareQuestion,
  history: async () =>
    (await import('../../projections/matching/questions/history-question.ts')).historyQuestion,
  'what-if': async () =>
    (await import('../../projections/matching/questions/what-if-question.ts')).whatIfQuestion,
  document: async () =>
    (await import('../../projections/matching/questions/document-question.ts')).documentQuestion,
  summary: async () =>
    (await import('../../projections/matching/questions/summary-question.ts')).summaryQuestion,
  stuck: async () =>
    (await import('../../projections/matching/questions/findings.ts')).stuckQuestion(
      (await import('../../processors/matching/unsent.ts')).findUnsent,
    ),
  quality: async () => (await import('../../projections/matching/questions/findings.ts')).qualityQuestion,
  confirmed: async () =>
    (await import('../../projections/matching/questions/confirmed.ts')).confirmedQuestion,
  refused: async () => (await import('../../projections/matching/questions/refused.ts')).refusedQuestion,
  verify: async () =>
    (await import('../../projections/matching/questions/verify-question.ts')).verifyQuestion(
      (await import('../../processors/matching/graph-streams.ts')).localPosition,
    ),
  'compare-generations': async () =>
    (await import('../../projections/matching/questions/generations-questions.ts'))
      .compareGenerationsQuestion,
  generations: async () =>
    (await import('../../projections/matching/questions/generations-questions.ts')).generationsQuestion,
}
