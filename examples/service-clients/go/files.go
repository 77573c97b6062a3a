package main

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
)

// file is where something was written, and what proves that it is unchanged.
type file struct {
	uri, sha256 string
	size        int64
}

func writeFile(directory, name string, content []byte) (file, error) {
	path := filepath.Join(directory, name)
	sum := sha256.Sum256(content)
	uri := url.URL{Scheme: "file", Path: path}
	return file{uri.String(), hex.EncodeToString(sum[:]), int64(len(content))}, os.WriteFile(path, content, 0o600)
}

func readFile(directory, name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(directory, name))
}
