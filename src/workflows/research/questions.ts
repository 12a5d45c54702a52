const listed = async () => (await import('../../projections/research/questions/lists.ts')).lists
const scheduler = async () => (await import('../../processors/research/ask-scheduler.ts')).askScheduler

/** Questions about research by name, in the order of its help. Each is loaded when it is asked: a start loads no other one. */
export const researchQuestions = {
  progress: async () =>
    (await import('../../projections/research/questions/progress-question.ts')).progressQuestion,
  findings: async () =>
    (await import('../../projections/research/questions/findings-question.ts')).findingsQuestion,
  timeline: async () =>
    (await import('../../projections/research/questions/timeline-question.ts')).timelineQuestion,
  pair: async () => (await import('../../projections/research/questions/pair-question.ts')).pairQuestion,
  next: async () =>
    (await import('../../projections/research/questions/next-question.ts')).nextQuestion(await scheduler()),
  simulate: async () =>
    (await import('../../projections/research/questions/simulate-question.ts')).simulateQuestion(
      await scheduler(),
    ),
  episodes: async () => (await listed()).episodes,
  clips: async () => (await listed()).clips,
  leases: async () => (await listed()).leases,
  researchers: async () => (await listed()).researchers,
  capacity: async () => (await listed()).capacity,
  parked: async () => (await listed()).parked,
  anomalies: async () => (await listed()).anomalies,
}
