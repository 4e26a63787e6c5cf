# Sourced by the scripts that use programs from PyPI.

# Makes a virtual environment with packages: python_packages FOLDER PACKAGE…
# uv installs in a third of pip's time. Where it does not work, as with an index that only pip is told of, pip does it.
python_packages() {
  local venv=$1
  shift
  python3 -m venv "$venv" || return
  { timeout 60 "$venv/bin/pip" install -q --no-compile uv==0.13.9 &&
    timeout 900 "$venv/bin/uv" pip install -q --python "$venv/bin/python" "$@"; } ||
    timeout 900 "$venv/bin/pip" install -q --no-compile "$@"
}
