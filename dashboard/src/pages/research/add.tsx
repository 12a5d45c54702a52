import { SendFile } from '../../parts/send-file.tsx'
import { useNoAdministration } from '../../shell/may-act.ts'
import { OneProgramme, topic } from './one-programme.tsx'
import { ResearchMenu } from './research-menu.tsx'

const example =
  '{"type":"episode.curated","data":{"id":"nine","title":"Nine","mediaUri":"https://media.example/9.mp3","mediaType":"audio/mpeg","curator":"ada","curatedAt":"2026-01-31T12:00:00Z"}}'

/** Programmes in which clips are looked for: one, or a file of many. */
const AddProgrammes = () => {
  const cannot = useNoAdministration()
  return (
    <>
      <h1>Add programmes</h1>
      <ResearchMenu />
      <section aria-labelledby="one">
        <h2 id="one">A programme</h2>
        <OneProgramme cannot={cannot} />
      </section>
      <section aria-labelledby="many">
        <h2 id="many">Many programmes</h2>
        <SendFile
          topic={topic}
          counts={['programme', 'programmes']}
          example={example}
          says="Each is looked through for every clip, in the order of priority and date."
          cannot={cannot}
        />
        <p class="why">
          A folder of sound files on the server:{' '}
          <code class="name">fonds research add episodes /srv/programmes</code>
        </p>
      </section>
    </>
  )
}

export default AddProgrammes
