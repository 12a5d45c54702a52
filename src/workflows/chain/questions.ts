/** Questions about the chain by name, in the order of its help. Each is loaded when it is asked. */
export const chainQuestions = {
  dossier: async () =>
    (await import('../../projections/chain/questions/dossier-question.ts')).dossierQuestion,
  objects: async () => (await import('../../projections/chain/questions/lists.ts')).objectsQuestion,
  adoption: async () => (await import('../../projections/chain/questions/lists.ts')).adoptionQuestion,
}
