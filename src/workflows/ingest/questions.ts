/** Questions about ingest by name, in the order of its help. Each is loaded when it is asked: a start loads no other one. */
export const ingestQuestions = {
  batches: async () => (await import('../../projections/ingest/questions/lists.ts')).batchesQuestion,
  lanes: async () => (await import('../../projections/ingest/questions/lanes-question.ts')).lanesQuestion,
  waiting: async () =>
    (await import('../../projections/ingest/questions/waiting-question.ts')).waitingQuestion,
  batch: async () => (await import('../../projections/ingest/questions/batch-question.ts')).batchQuestion,
  report: async () => (await import('../../projections/ingest/questions/report-question.ts')).reportQuestion,
  reports: async () => (await import('../../projections/ingest/questions/lists.ts')).reportsQuestion,
  jobs: async () => (await import('../../projections/ingest/questions/lists.ts')).jobsQuestion,
  job: async () => (await import('../../projections/ingest/questions/job-question.ts')).jobQuestion,
  why: async () => (await import('../../projections/ingest/questions/why-question.ts')).whyQuestion,
  summary: async () => (await import('../../projections/ingest/questions/lists.ts')).summaryQuestion,
  queue: async () => (await import('../../projections/ingest/questions/lists.ts')).queueQuestion,
  capacity: async () =>
    (await import('../../projections/ingest/questions/capacity-question.ts')).capacityQuestion,
  holds: async () => (await import('../../projections/ingest/questions/lists.ts')).holdsQuestion,
  profiles: async () => (await import('../../projections/ingest/questions/lists.ts')).profilesQuestion,
  objects: async () => (await import('../../projections/ingest/questions/lists.ts')).objectsQuestion,
  object: async () => (await import('../../projections/ingest/questions/object-question.ts')).objectQuestion,
  ids: async () => (await import('../../projections/ingest/questions/lists.ts')).idsQuestion,
  audit: async () => (await import('../../projections/ingest/questions/audit-question.ts')).auditQuestion,
}
