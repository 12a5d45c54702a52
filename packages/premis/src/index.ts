export {
  agentProblem,
  eventProblem,
  InvalidPremis,
  identifierKey,
  linkCheck,
  objectProblem,
} from './check.ts'
export { isIsoDate, isMoment } from './date.ts'
export type { Fixity, Format, Identifier, Link, PremisAgent, PremisEvent, PremisObject } from './model.ts'
export { agentTurtle, eventTurtle, objectTurtle, turtleStart } from './turtle.ts'
export { type List, listUri, type Term, type TermOf, term, termOrOwn, termUri } from './vocabulary.ts'
export { agentXml, eventXml, objectXml, premisNamespace, xmlEnd, xmlStart } from './xml.ts'
