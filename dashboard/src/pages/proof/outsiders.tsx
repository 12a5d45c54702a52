/** Who checked, and how somebody checks who believes neither this server nor this page. */
export const Outsiders = ({ file, isChecked }: { readonly file: string; readonly isChecked: boolean }) => (
  <section class="panel" aria-labelledby="outsiders">
    <h2 id="outsiders">{isChecked ? 'Who checked this' : 'Who can check this'}</h2>
    {isChecked && (
      <p>
        A program in this browser, which <strong>the operator of this server gave it</strong>: it is a
        convenience, and no evidence against them.
      </p>
    )}
    <p>
      An outsider takes the proof file, the archive’s key from another place, and a verifier of their own:
    </p>
    <p>
      <code>fonds proof verify {file} --policy archive.policy</code>
    </p>
    <p class="why">
      Or any program for C2SP’s tlog-proof; for a whole history <code>verify.py</code>, which each{' '}
      <code>fonds proof export</code> brings along. docs/proof.md tells what a proof shows, and what not.
    </p>
  </section>
)
