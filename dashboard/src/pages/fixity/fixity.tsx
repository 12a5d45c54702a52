import { Bags } from './bags.tsx'
import { Differences } from './differences.tsx'
import { Findings } from './findings.tsx'
import { FixityMenu } from './fixity-menu.tsx'
import { Stores } from './stores.tsx'

/** Is the content still what it was, where is it, and what must somebody settle? */
const Fixity = () => (
  <>
    <h1>Fixity</h1>
    <FixityMenu />
    <Stores />
    <Findings />
    <Differences />
    <Bags />
  </>
)

export default Fixity
