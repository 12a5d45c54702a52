/** Questions about indexing by name, in the order of its help. Each is loaded when it is asked: a start loads no other one. */
export const indexingQuestions = {
  report: async () => (await import('../../projections/indexing/questions/lists.ts')).reportQuestion,
  files: async () => (await import('../../projections/indexing/questions/lists.ts')).filesQuestion,
  failed: async () => (await import('../../projections/indexing/questions/lists.ts')).failedQuestion,
  late: async () => (await import('../../projections/indexing/questions/lists.ts')).lateQuestion,
  ages: async () => (await import('../../projections/indexing/questions/lists.ts')).agesQuestion,
  captures: async () =>
    (await import('../../projections/indexing/questions/captures-question.ts')).capturesQuestion,
  holdings: async () =>
    (await import('../../projections/indexing/questions/holdings-question.ts')).holdingsQuestion,
  runs: async () => (await import('../../projections/indexing/questions/runs-question.ts')).runsQuestion,
  access: async () =>
    (await import('../../projections/indexing/questions/access-question.ts')).accessQuestion,
  why: async () => (await import('../../projections/indexing/questions/why-question.ts')).whyQuestion,
}
