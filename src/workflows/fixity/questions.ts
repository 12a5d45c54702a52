/** Questions about fixity by name, in the order of its help. Each is loaded when it is asked: a start loads no other one. */
export const fixityQuestions = {
  report: async () => (await import('../../projections/fixity/questions/report-question.ts')).report,
  period: async () => (await import('../../projections/fixity/questions/period-question.ts')).period,
  stores: async () => (await import('../../projections/fixity/questions/stores-question.ts')).storesQuestion,
  findings: async () => (await import('../../projections/fixity/questions/findings-question.ts')).findings,
  folders: async () =>
    (await import('../../projections/fixity/questions/folders-question.ts')).foldersQuestion,
  item: async () => (await import('../../projections/fixity/questions/item-question.ts')).itemQuestion,
  bags: async () => (await import('../../projections/fixity/questions/bags-question.ts')).bagsQuestion,
  bag: async () => (await import('../../projections/fixity/questions/bag-question.ts')).bagQuestion,
  differences: async () =>
    (await import('../../projections/fixity/questions/differences-question.ts')).differencesQuestion,
  reports: async () =>
    (await import('../../projections/fixity/questions/reports-question.ts')).reportsQuestion,
  misread: async () =>
    (await import('../../projections/fixity/questions/misread-question.ts')).misreadQuestion,
  archived: async () =>
    (await import('../../projections/fixity/questions/archived-question.ts')).archivedQuestion,
}
