// Judges logs and notes with golang.org/x/mod and filippo.io/torchwood: prints what they say, exits with 1 where they refuse.
//
//	tlog-go note VERIFIER-KEY < note      the text of a note
//	tlog-go cosignature KEY < note        the time of a witness
//	tlog-go sign NAME < text              a verifier key, and a note by it
//	tlog-go folder FOLDER VERIFIER-KEY    the entries of a log, each checked against its checkpoint
//	tlog-go leaf < JSON, tlog-go tree < JSON    proofs
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func stdin() []byte { return must(io.ReadAll(os.Stdin)) }

func open(text []byte, verifiers ...note.Verifier) *note.Note {
	return must(note.Open(text, note.VerifierList(verifiers...)))
}

type claim struct {
	Size, OldSize, Index int64
	Root, OldRoot, Leaf  tlog.Hash
	Proof                []tlog.Hash
}

func readClaim() (given claim) {
	must(0, json.Unmarshal(stdin(), &given))
	return
}

func folder(path, key string) {
	text := must(os.ReadFile(filepath.Join(path, "checkpoint")))
	signed := open(text, must(note.NewVerifier(key)))
	checkpoint := must(torchwood.ParseCheckpoint(signed.Text))
	client := must(torchwood.NewClient(must(torchwood.NewTileFS(os.DirFS(path)))))
	for index, entry := range client.AllEntries(context.Background(), checkpoint.Tree, 0) {
		fmt.Printf("%d %q\n", index, entry)
	}
	must(0, client.Err())
}

func main() {
	switch os.Args[1] {
	case "note":
		fmt.Print(open(stdin(), must(note.NewVerifier(os.Args[2]))).Text)
	case "cosignature":
		signed := open(stdin(), must(torchwood.NewCosignatureVerifier(os.Args[2])))
		fmt.Println(must(torchwood.CosignatureTimestamp(signed.Sigs[0])))
	case "sign":
		private, public, err := note.GenerateKey(rand.Reader, os.Args[2])
		must(0, err)
		signer := must(note.NewSigner(private))
		fmt.Printf("%s\n%s", public, must(note.Sign(&note.Note{Text: string(stdin())}, signer)))
	case "folder":
		folder(os.Args[2], os.Args[3])
	case "leaf":
		c := readClaim()
		must(0, tlog.CheckRecord(c.Proof, c.Size, c.Root, c.Index, c.Leaf))
		fmt.Println("good")
	case "tree":
		c := readClaim()
		must(0, tlog.CheckTree(c.Proof, c.Size, c.Root, c.OldSize, c.OldRoot))
		fmt.Println("good")
	}
}
