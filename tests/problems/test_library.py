"""A library of contact problems: the same for the same seed, continued where it was left, with certificates that hold."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from typer.testing import CliRunner

from trundle.cli import app
from trundle.contact import load_problem
from trundle.contact.blocks import block_inverse
from trundle.contact.fclib import read_modes, read_solution
from trundle.errors import ProblemError
from trundle.problems import library, making
from trundle.problems.families import FAMILIES
from trundle.problems.plan import FEWEST, MOST, plan, runs
from trundle.solve import solve

COMMITTED = Path(__file__).parent / "selection"


def run(*words: object):
    return CliRunner().invoke(app, ["problems", *map(str, words)])


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """The first problems of another seed than the committed ones, small scenes only."""
    folder = tmp_path_factory.mktemp("library")
    for entry in small_entries(3):
        making.make_run([entry], folder)
        making.certify(folder / entry.file_name)
    return folder


def small_entries(seed: int):
    """One problem of every family, of at most 120 contacts."""
    found = {}
    for group in runs(plan(200, seed)):
        if group[0].contacts <= 120:
            found.setdefault(group[0].family, group[0])
    return list(found.values())


# --- plan --------------------------------------------------------------------------------------------


def test_plan_has_all_families_laws_and_sizes_and_every_20th_is_a_collapse():
    entries = plan(500)
    assert {entry.family for entry in entries} == set(FAMILIES)
    assert all((entry.family == "collapse") == (entry.number % 20 == 19) for entry in entries)
    assert set(Counter(entry.law for entry in entries)) == {"sliding", "rolling", "spinning"}
    contacts = np.array([entry.contacts for entry in entries])
    assert contacts.min() < 2 * FEWEST
    assert contacts.max() > 0.9 * MOST
    for low, high in (
        (10, 100),
        (100, 1_000),
        (1_000, 6_000),
    ):  # even in the logarithm: about a third, a third, a quarter
        assert np.mean((contacts >= low) & (contacts <= high)) > 0.2


def test_a_shorter_plan_is_the_beginning_of_a_longer_one():
    assert plan(500)[:37] == plan(37)


@pytest.mark.parametrize(("count", "seed"), [(0, 0), (2.5, 0), (True, 0), (5, -1)])
def test_impossible_plans_are_refused(count, seed):
    with pytest.raises(ProblemError, match="must be a whole number"):
        plan(count, seed)


# --- problems ----------------------------------------------------------------------------------------


def test_every_family_gives_problems_with_certified_solutions(made):
    facts = library.load(made).facts
    assert {one.family for one in facts} == set(FAMILIES)
    for one in facts:
        assert FEWEST <= one.contacts <= MOST
        assert one.mu <= 1.0
        assert one.solution == "certified", one
    assert [said for _, said in library.check(made) if said] == []


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(tmp_path):
    entry = next(entry for entry in small_entries(3) if entry.family == "pile")
    other = replace(entry, seed=4)
    written = []
    for folder, one in ((tmp_path / "a", entry), (tmp_path / "b", entry), (tmp_path / "c", other)):
        folder.mkdir()
        making.make_run([one], folder)
        written.append((folder / one.file_name).read_bytes())
    assert written[0] == written[1] != written[2]


def test_global_form_of_a_step_is_its_reduced_form(made):
    """W = H M^-1 H^T: M of bodies is inverted block by block, against a dense inverse."""
    for file in library.files_of(made):
        problem = load_problem(file)
        M, H = problem.M.toarray(), problem.H.toarray()
        W = H @ np.linalg.inv(M) @ H.T
        assert abs(problem.reduced_matrix - W).max() <= 1e-13 * abs(W).max()
        assert np.array_equal(H.shape, (problem.row_count, 6 * making.facts_of(problem).bodies))


def test_block_inverse_finds_blocks_in_any_order_and_leaves_large_ones_alone():
    random = np.random.default_rng(1)
    A = np.zeros((40, 40))
    order = random.permutation(40)
    for first, last in ((0, 1), (1, 4), (4, 10), (10, 13), (13, 40)):
        B = random.normal(size=(last - first, last - first))
        A[np.ix_(order[first:last], order[first:last])] = B @ B.T + np.eye(last - first)
    from scipy import sparse

    inverse = block_inverse(sparse.csr_array(A))
    assert np.abs(inverse @ A - np.eye(40)).max() < 1e-10
    assert block_inverse(sparse.csr_array(np.ones((61, 61)) + np.eye(61))) is None


def test_a_changed_certificate_is_found(made, tmp_path):
    file = library.files_of(made)[0]
    for dataset, words in (("r", "residual"), ("u", "velocities"), ("modes", "modes")):
        damaged = tmp_path / file.name
        damaged.write_bytes(file.read_bytes())
        with h5py.File(damaged, "r+") as root:
            values = root[f"solution/{dataset}"][...]
            values[np.argmax(np.abs(values))] += 1
            root[f"solution/{dataset}"][...] = values
            del root["trundle/checksums"]  # as if another program had written it
        assert any(words in text for text in making.check_file(damaged)), dataset
    result = run("check", tmp_path)
    assert result.exit_code == 3
    assert "1 of them wrong" in result.output


def test_a_flipped_number_is_found_by_its_sum(made, tmp_path):
    file = library.files_of(made)[0]
    damaged = tmp_path / file.name
    damaged.write_bytes(file.read_bytes())
    with h5py.File(damaged, "r+") as root:
        root["solution/r"][0] += 1
    result = run("check", tmp_path)
    assert result.exit_code == 3
    assert "solution/r is not what was written" in result.output


# --- the command -------------------------------------------------------------------------------------


def test_make_goes_on_where_it_was_left_and_leaves_finished_files_alone(tmp_path, monkeypatch):
    folder = tmp_path / "library"
    calls = []
    real = making.make_run
    monkeypatch.setattr(
        library, "make_run", lambda group, where: (calls.append(group[0].family), real(group[:1], where))
    )
    monkeypatch.setattr(library.plan, "plan", lambda count, seed: small_entries(seed)[:2])
    assert run("make", "-o", folder, "--no-certificates").exit_code == 0
    files = library.files_of(folder)
    before = [file.stat().st_mtime_ns for file in files]
    result = run("make", "-o", folder, "--no-certificates")
    assert result.exit_code == 0, result.output
    assert len(calls) == 2
    assert [file.stat().st_mtime_ns for file in files] == before
    rows = list(csv.DictReader((folder / "catalogue.csv").read_text().splitlines()))
    assert [row["file"] for row in rows] == [file.name for file in files]
    assert {row["solution"] for row in rows} == {"not tried"}
    assert run("make", "-o", folder).exit_code == 0
    assert {one.solution for one in library.load(folder).facts} == {"certified"}
    assert "seed 0" in run("make", "-o", folder, "--seed", 1).stderr


def test_folders_without_a_library_are_named(tmp_path):
    for command in ("list", "check"):
        result = run(command, tmp_path / "nowhere")
        assert result.exit_code == 2
        assert "trundle problems make" in result.stderr
    assert run("make", "-o", tmp_path / "x", "--workers", 4000).exit_code == 2


# --- the selection that is committed -------------------------------------------------------------------


def test_the_committed_selection_is_small_and_its_certificates_hold():
    files = library.files_of(COMMITTED)
    assert sum(file.stat().st_size for file in files) <= 3e6
    assert len(files) >= 25
    facts = library.load(COMMITTED).facts
    assert {one.family for one in facts} == set(FAMILIES)
    assert {one.law for one in facts} == {"sliding", "rolling", "spinning"}
    assert {one.hardness for one in facts} == {"easy", "medium", "hard"}
    assert [(file.name, said) for file, said in library.check(COMMITTED) if said] == []
    assert "certified" in run("list", COMMITTED).output


@pytest.mark.parametrize("file", sorted(COMMITTED.glob("*.hdf5")), ids=lambda file: file.stem)
def test_committed_problems_are_solved_to_1e_8(file):
    problem, stored = load_problem(file), read_solution(file)
    solution = solve(problem, tolerance=1e-8)
    assert solution.converged, solution.message
    assert stored is not None
    assert problem.residual(stored["r"]) <= 1e-12
    assert json.loads(problem.description)["solution"] == "certified"
    assert len(read_modes(file)) == problem.contact_count
