package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"steno/cmd/steno/config"
	"steno/cmd/steno/stores"
	"steno/session/store"
	"steno/session/store/backup"
	"steno/session/store/embedded"
	"steno/session/store/valkey"
)

// keptPlace specifies which store is backed up or restored, with the blob storage of one that
// gateways share.
type keptPlace struct {
	storePlace
	Blob string `help:"Blob storage that gateways share: a folder or s3://…" placeholder:"URL"`
}

// options are those of the store that gateways share, for a tool that keeps what it fetches in a
// folder of its own. The folder goes with end.
func (k keptPlace) options(cfg config.Config) (o valkey.Options, end func() error, err error) {
	if cfg.Blob == "" {
		return o, nil, errors.New("the blob storage of the gateways is missing: --blob, STENO_BLOB or the " +
			"configuration name it")
	}
	if o, err = stores.ValkeyOptions(cfg); err != nil {
		return o, nil, err
	}
	o.Erase = -1
	o.Spool, err = os.MkdirTemp("", "steno")
	return o, func() error { return os.RemoveAll(o.Spool) }, err
}

// kept is the configuration with the flags on top.
func (k keptPlace) kept(environ []string) (config.Config, error) {
	cfg, err := k.configuration(environ)
	cfg.Blob = cmp.Or(k.Blob, cfg.Blob)
	return cfg, err
}

// backupCmd makes backups, and removes from them what was erased since.
type backupCmd struct {
	Make  backupMakeCmd  `cmd:"" default:"withargs" help:"Back up a store, while gateways use it."`
	Prune backupPruneCmd `cmd:"" help:"Remove from a backup what was erased since it was made."`
}

// backupMakeCmd backs up the store of running gateways.
type backupMakeCmd struct {
	keptPlace
	To string `required:"" help:"Folder for the backup: one that is not there, or is empty." placeholder:"PATH"`
}

// Run writes the backup and prints what is in it.
func (b backupMakeCmd) Run(ctx context.Context, p *process) error {
	cfg, err := b.kept(p.environ)
	if err != nil {
		return err
	}
	kind := backup.DataFolder
	if cfg.Valkey.Address != "" {
		kind = backup.Blobs
	} else if !stores.Exists(cfg) {
		return fmt.Errorf("there is no data folder %s; --data, STENO_DATA or the configuration name another", cfg.Data)
	}
	ctx, stop := untilInterrupted(ctx, p.interrupts)
	defer stop()
	w, err := backup.Create(b.To, kind)
	if err != nil {
		return err
	}
	records, uploads := 0, 0
	if kind == backup.DataFolder {
		done, failed := embedded.Backup(ctx, cfg.Data, w)
		records, uploads, err = done.Records, done.Uploads, failed
	} else {
		records, uploads, err = b.shared(ctx, cfg, w)
	}
	if err != nil {
		return stores.ExplainDenied(cfg, err)
	}
	m, err := w.Close()
	if err != nil {
		return err
	}
	var bytes int64
	for _, f := range m.Files {
		bytes += f.Size
	}
	_, err = fmt.Fprintf(p.stdout, "%s: %d records, %d uploads, %d files, %d bytes\n", b.To, records, uploads,
		len(m.Files), bytes)
	return err
}

// shared backs up the store that gateways share.
func (b backupMakeCmd) shared(ctx context.Context, cfg config.Config, w *backup.Writer) (records, uploads int,
	err error) {
	o, end, err := b.options(cfg)
	if err != nil {
		return 0, 0, err
	}
	done, err := valkey.Backup(ctx, o, w)
	return done.Records, done.Uploads, errors.Join(err, end())
}

// backupPruneCmd removes from a backup what was erased since it was made.
type backupPruneCmd struct {
	keptPlace
	Dir string `arg:"" help:"Folder of the backup." placeholder:"DIR"`
}

// Run has the backup take over the list of what was erased from the store, where that is there, and
// from those of the backups beside it.
func (b backupPruneCmd) Run(ctx context.Context, p *process) error {
	cfg, err := b.kept(p.environ)
	if err != nil {
		return err
	}
	m, err := backup.Open(b.Dir)
	if err != nil {
		return err
	}
	lists, err := backup.ReadErasures(b.Dir)
	if err != nil {
		return err
	}
	var now *store.ErasureList
	switch {
	case cfg.Valkey.Address != "":
		var o valkey.Options
		if o, err = stores.ValkeyOptions(cfg); err == nil {
			now, err = valkey.Erasures(ctx, o)
		}
	case stores.Exists(cfg):
		now, err = embedded.Erasures(ctx, cfg.Data)
	}
	if err != nil {
		return stores.ExplainDenied(cfg, err)
	}
	if now != nil {
		lists = lists.With(now)
	}
	prune := valkey.Prune
	if m.Kind == backup.DataFolder {
		prune = embedded.Prune
	}
	n, err := prune(ctx, b.Dir, m, lists)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s: erased: %d\n", b.Dir, n)
	return err
}

// restoreCmd makes a store of a backup, or restores to a Valkey server what blob storage describes.
type restoreCmd struct {
	keptPlace
	From   string `help:"Folder of a backup. Without it, a Valkey server is given what it has lost and the blob storage describes." placeholder:"PATH"`
	Verify bool   `help:"Read the backup and compare it with its manifest; restore nothing."`
}

// Run verifies the backup before it writes anything.
func (r restoreCmd) Run(ctx context.Context, p *process) error {
	cfg, err := r.kept(p.environ)
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx, p.interrupts)
	defer stop()
	if r.From == "" {
		if cfg.Valkey.Address == "" || r.Verify {
			return errors.New("--from names the backup")
		}
		return r.shared(p, cfg, func(o valkey.Options) (valkey.Rebuilt, error) { return valkey.Rebuild(ctx, o) })
	}
	m, err := backup.Open(r.From)
	switch {
	case err != nil:
		return err
	case r.Verify:
		if err := backup.Verify(ctx, r.From, m); err != nil {
			return err
		}
		_, err := fmt.Fprintf(p.stdout, "%s: of %s, all %d files are as they were written\n", r.From,
			m.Created.Format("2006-01-02 15:04:05 MST"), len(m.Files))
		return err
	case m.Kind == backup.DataFolder && cfg.Valkey.Address != "":
		return errors.New("the backup is of a data folder: leave --valkey out and name a folder with --data")
	case m.Kind != backup.DataFolder && cfg.Valkey.Address == "":
		return errors.New("the backup is of gateways that share a store: --valkey and --blob name the new one")
	}
	lists, err := backup.ReadErasures(r.From)
	if err != nil {
		return err
	}
	if m.Kind == backup.DataFolder {
		return r.folder(ctx, p, cfg, m, lists)
	}
	return r.shared(p, cfg, func(o valkey.Options) (valkey.Rebuilt, error) {
		return valkey.Restore(ctx, o, r.From, m, lists)
	})
}

// folder restores a data folder and looks through it.
func (r restoreCmd) folder(ctx context.Context, p *process, cfg config.Config, m backup.Manifest,
	lists store.Erasures) error {
	if err := backup.Restore(ctx, r.From, m, cfg.Data); err != nil {
		return err
	}
	erased, err := embedded.EraseAgain(ctx, cfg.Data, lists)
	if err != nil {
		return err
	}
	report, err := embedded.Check(ctx, cfg.Data, false)
	if err != nil {
		return err
	}
	if err := (checkCmd{}).print(p, report); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s is as %s was at %s, without what was erased since: %d\n", cfg.Data, r.From,
		m.Created.Format("2006-01-02 15:04:05 MST"), erased)
	return err
}

// shared restores the store that gateways share.
func (r restoreCmd) shared(p *process, cfg config.Config, restore func(valkey.Options) (valkey.Rebuilt, error)) error {
	o, end, err := r.options(cfg)
	if err != nil {
		return err
	}
	done, err := restore(o)
	if err := errors.Join(err, end()); err != nil {
		return err
	}
	for _, text := range done.Incomplete {
		if _, err := fmt.Fprintln(p.stdout, text); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(p.stdout,
		"restored: %d records, %d uploads, %d keys, %d secrets; %d records and uploads were there, %d are being "+
			"deleted, %d were erased since\n",
		done.Records, done.Uploads, done.Keys, done.Secrets, done.There, done.Deleted, done.Erased)
	return err
}
