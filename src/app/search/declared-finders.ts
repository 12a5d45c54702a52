import { commandLine, type Finder, type Hit, pageAt, type Search } from '../../projections/runtime/finder.ts'
import { allQuestions } from '../../workflows/questions.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import { projectionsOf, topicsOf, type WorkflowModel } from '../../workflows/workflow-model.ts'

/** Finders of what workflows declare: commands, questions, topics and views, by name or by words of their description. */
export const declaredFinders = async (
  workflows: readonly (WorkflowModel & Partial<Workflow>)[],
): Promise<readonly Finder[]> => {
  const asked = await Promise.all(
    workflows.map(async ({ name, questions = {} }) => ({ name, questions: await allQuestions(questions) })),
  )
  return [
    finderOf('commands', 'Commands', () =>
      workflows.flatMap(({ commands = [] }) =>
        commands.map(({ name, description }) => ({
          id: name,
          title: description,
          command: commandLine('do', name),
          page: pageAt`/do/${name}`,
        })),
      ),
    ),
    finderOf('questions', 'Questions', () =>
      asked.flatMap(({ name: workflow, questions }) =>
        questions.map(({ name, summary }) => ({
          id: `${workflow} ${name}`,
          title: summary,
          command: commandLine(`${workflow} ${name} --help`),
        })),
      ),
    ),
    finderOf('topics', 'Topics', () =>
      topicsOf(workflows).map(({ name, description }) => ({
        id: name,
        title: description,
        command: commandLine('schema', name),
        page: pageAt`/log/topics/${name}`,
      })),
    ),
    finderOf('views', 'Views', () =>
      projectionsOf(workflows)
        .flatMap(({ views }) => views)
        .map(({ name, description }) => ({
          id: name,
          title: description,
          command: commandLine('query', name),
        })),
    ),
  ]
}

/** All of them are compared: there are some hundreds. */
const finderOf = (kind: string, title: string, all: () => readonly Omit<Hit, 'isExact'>[]): Finder => ({
  kind,
  title,
  find: (_, search) => {
    const found = ranked(all(), search)
    return { hits: found.slice(0, search.limit), total: found.length, isAll: true }
  },
})

/** Those that have all words in name or description: names that begin so first, then names that have the words. */
const ranked = (all: readonly Omit<Hit, 'isExact'>[], { text }: Search): readonly Hit[] => {
  const wanted = text.toLocaleLowerCase('en')
  const words = wanted.split(/\s+/u)
  const rankOf = ({ id, title }: Pick<Hit, 'id' | 'title'>): number => {
    const name = id.toLocaleLowerCase('en')
    if (name.startsWith(wanted)) return 0
    if (words.every((word) => name.includes(word))) return 1
    const within = `${name} ${title ?? ''}`.toLocaleLowerCase('en')
    return words.every((word) => within.includes(word)) ? 2 : Number.POSITIVE_INFINITY
  }
  return all
    .map((one) => ({ ...one, isExact: one.id.toLowerCase() === wanted, rank: rankOf(one) }))
    .filter(({ rank }) => Number.isFinite(rank))
    .sort((one, other) => one.rank - other.rank)
    .map(({ rank: _, ...one }) => one)
}
