import { Link } from '../../address/use-address.tsx'
import { SendFile } from '../../parts/send-file.tsx'
import { useNoAdministration } from '../../shell/may-act.ts'
import { MatchingMenu } from './matching-menu.tsx'

const example =
  '{"id":"gentian","source":"library","sourceVersion":1,"sourceModifiedAt":"2026-01-31T12:00:00Z","state":"visible","title":"Gentian","links":[{"to":"plate-9","reason":"digitised as"}]}'

/** Catalogue records, from a file. */
const AddRecords = () => (
  <>
    <h1>Add records</h1>
    <MatchingMenu />
    <section aria-labelledby="add">
      <h2 id="add">A catalogue file</h2>
      <SendFile
        topic="fonds.matching.works"
        counts={['record', 'records']}
        example={example}
        says="Each record is taken in if its version is newer than what is known of it; its links join it with others, and readers find it within seconds."
        cannot={useNoAdministration()}
      />
      <p class="why">
        Fields: <b>id</b> of the record, <b>source</b> that speaks for it, <b>sourceVersion</b> that grows
        with each change, <b>sourceModifiedAt</b>, <b>state</b> (visible, invisible or deleted), <b>title</b>,
        and <b>links</b> to other records, each with its reason. <Link to="/matching">Search</Link> shows what
        was taken in.
      </p>
    </section>
  </>
)

export default AddRecords
